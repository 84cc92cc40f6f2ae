import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('the form of a source', () => {
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram();
  });

  afterAll(() => program?.stop());

  const call = <T>(method: string, path: string, body?: unknown) =>
    program.call(method, `/api/v2${path}`, body).then(({ status, json }) => {
      expect(status, JSON.stringify(json)).toBe(200);
      return (json as { data: T }).data;
    });

  it('edits query settings and highlighted attributes, shows materialized views, and loses nothing', async () => {
    const source = (await call<Record<string, unknown>[]>('GET', '/sources')).find(({ kind }) => kind === 'log');
    const { id, ...content } = source ?? {};
    const { databaseName } = content.from as { databaseName: string };
    const before = {
      ...content,
      section: 'Shop',
      orderByExpression: 'Timestamp DESC',
      querySettings: [{ setting: 'max_threads', value: '4' }],
      highlightedRowAttributeExpressions: [{ sqlExpression: 'ServiceName', luceneExpression: 'ServiceName' }],
      materializedViews: [
        {
          ...{ databaseName, tableName: 'otel_logs_counts', dimensionColumns: 'ServiceName', minGranularity: '1m' },
          ...{ timestampColumn: 'Timestamp', aggregatedColumns: [{ aggFn: 'count', mvColumn: 'n' }] },
        },
      ],
      metadataMaterializedViews: { kvRollupTable: 'otel_logs_kv', granularity: '15m' },
    };
    const stored = await call<object>('PUT', `/sources/${id}`, before);
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/sources/${id}`);
    const settings = page.getByRole('group', { name: 'Query settings' });
    await settings.getByLabel('Query settings: Value 1').fill('8');
    await settings.getByRole('button', { name: 'Add setting' }).click();
    const highlighted = page.getByRole('group', { name: 'Highlighted attributes of an event' });
    await highlighted.getByLabel(/Alias 1$/).fill('Service');
    await page.getByText('otel_logs_counts').waitFor();
    await page.getByText('otel_logs_kv').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/saved\.$/).waitFor();
    expect(await call('GET', `/sources/${id}`)).toEqual({
      ...stored,
      querySettings: [{ setting: 'max_threads', value: '8' }],
      highlightedRowAttributeExpressions: [
        { sqlExpression: 'ServiceName', luceneExpression: 'ServiceName', alias: 'Service' },
      ],
    });
  });

  it('names its fields by their labels in what the check and a save object to', async () => {
    const source = (await call<{ id: string; kind: string }[]>('GET', '/sources')).find(({ kind }) => kind === 'trace');
    const { page } = await visit(program.addresses.web, { console: ['400'] });
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/sources/${source?.id}`);
    await page.getByRole('textbox', { name: 'Table', exact: true }).fill('no_such_table');
    await page.getByRole('textbox', { name: 'Database', exact: true }).fill('foreign');
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Database: / })
      .waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/^Database: /)
      .waitFor();
    expect(await page.evaluate<string>('document.body.innerText')).not.toMatch(/databaseName|Expression/);
  });
});
