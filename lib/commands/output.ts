// Where a command writes: results to stdout, problems to stderr.

export interface Output {
  /** One or more whole lines, without the last line break. */
  print(text: string): void;
  complain(text: string): void;
}

export const CONSOLE_OUTPUT: Output = {
  print: (text) => console.log(text),
  complain: (text) => console.error(text),
};
