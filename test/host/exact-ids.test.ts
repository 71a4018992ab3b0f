import { describe, expect, test } from "bun:test";
import { createExactIds, type ExactIds } from "../../lib/host/exact-ids.ts";

function note(ids: ExactIds, text: string): void {
  ids.note({ message: JSON.parse(text), text });
}

const answer = (id: unknown, rest = '"result":{}') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`;

describe("createExactIds()", () => {
  test.each(["9007199254740993", "1764528000123456789", "-1764528000123456789", "0.10"])(
    "puts %s back into one answer",
    (idText) => {
      const ids = createExactIds();
      note(ids, `{"jsonrpc":"2.0","id":${idText},"method":"ping"}`);
      const id: unknown = JSON.parse(idText);
      expect(ids.restore(answer(id))).toBe(`{"jsonrpc":"2.0","id":${idText},"result":{}}`);
      expect(ids.restore(answer(id))).toBe(answer(id));
    },
  );

  test("leaves other lines as they are", () => {
    const ids = createExactIds();
    note(ids, '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    const id = Number("9007199254740993");
    const lines = [
      answer(1),
      answer(String(id)),
      answer(null, '"error":{"code":-32700,"message":"x"}'),
      `{"jsonrpc":"2.0","id":${id},"method":"roots/list"}`,
      '{"jsonrpc":"2.0","method":"notifications/message"}',
    ];
    expect(lines.map((line) => ids.restore(line))).toEqual(lines);
  });

  test("does not look at ids that a number holds", () => {
    const ids = createExactIds();
    for (const idText of ["1", "0", "-1", "1.5", '"9007199254740993"'])
      note(ids, `{"jsonrpc":"2.0","id":${idText},"method":"ping"}`);
    expect(ids.restore("not looked at")).toBe("not looked at");
  });
});
