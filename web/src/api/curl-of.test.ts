import { expect, it } from 'vitest';
import { cloudKey, curlOf, personalKey } from './curl-of.ts';

it('survives quotes in the filter', () => {
  const command = curlOf('POST', { url: 'http://h/api/v2/search', body: { where: "Body = 'x'" } }, personalKey);
  expect(command).toContain(`-d '{"where":"Body = '\\''x'\\''"}'`);
  expect(command).toContain('Authorization: Bearer $SIGNALBOX_API_KEY');
});

it('names the two variables of a cloud key', () => {
  const command = curlOf('PUT', { url: 'http://h/v1', body: {} }, cloudKey);
  expect(command).toContain('-u "$KEY_ID:$KEY_SECRET"');
  for (const name of cloudKey.names.split(' and ')) expect(command).toContain(`$${name}`);
});
