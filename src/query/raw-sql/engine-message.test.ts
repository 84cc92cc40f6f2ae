import { describe, expect, it } from 'vitest';
import { readObjection, readSyntaxError } from './engine-message.ts';

describe('what the engine objects to', () => {
  it.each([
    [47, 'Unknown expression identifier `nothing` in scope SELECT nothing FROM t.', 'SELECT nothing FROM t', 'nothing'],
    [
      60,
      "Unknown table expression identifier 'no_table' in scope x. Maybe you meant other.secret?",
      'SELECT 1 FROM no_table',
      'no_table',
    ],
    [60, "Unknown table expression identifier 'x'. Maybe you meant `secret`?", 'SELECT 1 FROM y', undefined],
    [46, 'Function with name `nofunction` does not exist.', 'SELECT nofunction(1)', 'nofunction'],
    [43, 'Illegal types UInt8 and String of arguments of function plus: In scope', "SELECT plus(1, 'a')", 'plus'],
    [215, "Column 'own.otel_logs.Body' is not under aggregate function", 'SELECT Body, count()', 'Body'],
  ])('%s, %s', (code, said, sql, name) => {
    const objection = readObjection(code, said, sql);
    expect(objection?.name).toBe(name);
    expect(objection?.message).not.toMatch(/secret|other|own\.|scope/);
  });

  it('other failures are not about the statement', () => {
    expect(readObjection(241, 'Memory limit', 'SELECT 1')).toBeUndefined();
    expect(readObjection(undefined, '', 'SELECT 1')).toBeUndefined();
  });

  it.each([
    [
      'failed at position 14 (otel_logs): otel_logs. Expected one of: token, Comma, FROM, GROUP BY. (SYNTAX_ERROR)',
      'SELECT 1 FRM otel_logs',
      13,
      'a comma, FROM, GROUP BY',
    ],
    ['failed at position 27 (y): y. Expected one of: token', "SELECT 'é€😀', x FRM y", 21, ''],
    ['failed at position 33 (end of query): . Expected one of: ALL', 'SELECT 1 ORDER BY', 17, 'ALL'],
    ['something else', 'SELECT 1', undefined, ''],
  ])('%s', (said, sql, at, expected) => {
    const { message, ...place } = readSyntaxError(said, sql);
    expect(place.at).toBe(at);
    expect(message).toBe(`this is not valid SQL${expected === '' ? '' : `; expected here: ${expected}`}`);
  });
});
