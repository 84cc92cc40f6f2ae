import { expect, it } from 'vitest';
import { curlOf } from './curl-of.ts';

it('survives quotes in the filter', () => {
  const command = curlOf('POST', 'http://h/api/v2/search', { where: "Body = 'x'" });
  expect(command).toContain(`-d '{"where":"Body = '\\''x'\\''"}'`);
});
