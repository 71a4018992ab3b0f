/** Version of this program, as in package.json; a test compares. Reading that file would cost every start. */
export const VERSION = "0.1.0";
