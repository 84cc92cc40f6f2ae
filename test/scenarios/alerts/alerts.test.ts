import { describe, expect, it } from 'vitest';
import { serviceId } from '../../../src/http/testing.ts';
import {
  AlertApi,
  dashboardId,
  foreignDashboardId,
  foreignSavedSearchId,
  foreignWebhookId,
  otherWebhookId,
  savedSearchId,
  seedBody,
  unknownId,
  webhookId,
} from './alert-api.ts';

describe.each(['selfHosted', 'managed'] as const)('alerts, %s', (flavour) => {
  const { channel: _channel, ...withoutChannel } = seedBody;
  const refused = async (api: AlertApi, body: unknown, id?: string): Promise<string> => {
    const answer = await api.send(id ? 'PUT' : 'POST', id ? `/alerts/${id}` : '/alerts', { body });
    expect(answer.status).toBe(400);
    return api.errorText(answer);
  };

  describe('seed: create, list, get, update, delete', () => {
    it('contract §3.2: the record of a tile alert has exactly these fields', async () => {
      const api = new AlertApi(flavour);
      const created = await api.create();
      expect(created).toEqual({
        ...seedBody,
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        teamId: serviceId,
        state: 'OK',
        channels: [seedBody.channel],
        note: null,
        numConsecutiveWindows: null,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-01T00:00:00.000Z',
      });
      expect(await api.get(created.id)).toEqual(created);
      expect(await api.list()).toEqual([created]);
      expect(await api.put(created.id, seedBody)).toEqual(created);
    });

    it('DELETE answers {} or an envelope without result; a second one 404', async () => {
      const api = new AlertApi(flavour);
      const { id } = await api.create();
      const removed = await api.send('DELETE', `/alerts/${id}`);
      expect(removed.status).toBe(200);
      if (flavour === 'selfHosted') expect(removed.json).toEqual({});
      else expect(removed.json).not.toHaveProperty('result');
      for (const method of ['DELETE', 'GET'] as const) {
        const again = await api.send(method, `/alerts/${id}`);
        expect(again.status).toBe(404);
        expect(api.errorText(again)).toContain('Alert not found');
      }
    });

    it('decisions F2: another tenant’s alert looks like a missing one', async () => {
      const api = new AlertApi('selfHosted');
      const { id } = await api.create();
      for (const [method, body] of [['GET'], ['PUT', seedBody], ['DELETE']] as const) {
        const answer = await api.send(method, `/alerts/${id}`, { key: 'other', ...(body && { body }) });
        expect([answer.status, api.errorText(answer)]).toEqual([404, 'Alert not found']);
      }
      expect(await api.list()).toHaveLength(1);
    });

    it('without a key 401; a key that only reads may not write', async () => {
      const api = new AlertApi(flavour);
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `/${unknownId}`],
        ['PUT', `/${unknownId}`],
      ] as const) {
        expect((await api.send(method, `/alerts${path}`, { key: 'none', body: seedBody })).status).toBe(401);
      }
      expect((await api.send('POST', '/alerts', { key: 'reader', body: seedBody })).status).toBe(403);
    });

    it.each(['x', unknownId, '%00', 'A'.repeat(24)])('decisions F6: id %s is simply not found', async (id) => {
      const api = new AlertApi(flavour);
      expect((await api.send('GET', `/alerts/${id}`)).status).toBe(404);
      expect((await api.send('DELETE', `/alerts/${id}`)).status).toBe(404);
    });

    it('decisions D2: a missing alert is 404 also when the body is wrong', async () => {
      const api = new AlertApi(flavour);
      expect((await api.send('PUT', `/alerts/${unknownId}`, { body: {} })).status).toBe(404);
      expect((await api.send('PUT', `/alerts/${unknownId}`, { text: '{' })).status).toBe(400);
    });
  });

  describe('lists', () => {
    it('are paged, in order of creation, with X-Total-Count', async () => {
      const api = new AlertApi(flavour);
      const ids: string[] = [];
      for (let made = 0; made < 3; made++) ids.push((await api.create()).id);
      const answer = await api.send('GET', '/alerts?limit=1&offset=1');
      expect(answer.headers['x-total-count']).toBe('3');
      expect((await api.list('?limit=2&offset=1')).map(({ id }) => id)).toEqual(ids.slice(1));
      expect(await api.list('?offset=9')).toEqual([]);
      if (flavour === 'selfHosted') expect(answer.json).toMatchObject({ meta: { total: 3, limit: 1, offset: 1 } });
    });

    it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=1.5', 'offset=-1'])('%s is 400', async (query) => {
      expect((await new AlertApi(flavour).send('GET', `/alerts?${query}`)).status).toBe(400);
    });
  });

  describe('decisions A1: required fields; the text names the field', () => {
    it.each(['dashboardId', 'tileId', 'threshold', 'thresholdType', 'interval', 'channel'] as const)(
      '%s',
      async (field) => {
        const api = new AlertApi(flavour);
        const { [field]: _left, ...body } = seedBody;
        expect(await refused(api, body)).toContain(field);
        expect(await api.list()).toEqual([]);
      },
    );

    it('source, name and message may be missing', async () => {
      const { source: _source, name: _name, message: _message, ...body } = seedBody;
      expect(await new AlertApi(flavour).create(body)).toMatchObject({ source: 'tile', name: null, message: null });
    });

    it.each([
      ['threshold', '5'],
      ['threshold', null],
      ['thresholdType', 'over'],
      ['interval', '1s'],
      ['interval', '8d'],
      ['interval', '0m'],
      ['interval', '1.5h'],
      ['repeatInterval', '1w'],
      ['name', ''],
      ['name', 'x'.repeat(513)],
      ['message', 'x'.repeat(4097)],
      ['note', ''],
      ['numConsecutiveWindows', 0],
      ['numConsecutiveWindows', 1.5],
      ['scheduleOffsetMinutes', 60],
      ['scheduleOffsetMinutes', -1],
      ['scheduleStartAt', '2026-01-01T00:00:00+01:00'],
      ['scheduleStartAt', '2027-06-01T00:00:00Z'],
      ['scheduleStartAt', '2015-01-01T00:00:00Z'],
      ['scheduleStartAt', 'soon'],
      ['scheduleStartAt', '2026-02-30T00:00:00Z'],
      ['missingData', 'ignore'],
      ['enabled', 'no'],
      ['enabled', null],
      ['source', 'saved_search'],
      ['channels', []],
      ['channel', { type: 'email', webhookId }],
    ])('%s: %j is rejected', async (field, value) => {
      const api = new AlertApi(flavour);
      expect(await refused(api, { ...seedBody, [field]: value })).toContain(field);
      expect(await api.list()).toEqual([]);
    });

    it('U-39: thresholds come back as the same JSON numbers', async () => {
      const api = new AlertApi(flavour);
      for (const threshold of [2, 0.65, 1e12, -1, 0])
        expect((await api.create({ ...seedBody, threshold })).threshold).toBe(threshold);
    });
  });

  describe('decisions A2: intervals and thresholds', () => {
    it.each(['1m', '5m', '15m', '30m', '1h', '6h', '12h', '1d', '7m', '48h', '7d'])('interval %s', async (interval) => {
      expect((await new AlertApi(flavour).create({ ...seedBody, interval })).interval).toBe(interval);
    });

    it.each(['above', 'below', 'above_exclusive', 'below_or_equal', 'equal', 'not_equal'])(
      'thresholdType %s',
      async (thresholdType) => {
        expect((await new AlertApi(flavour).create({ ...seedBody, thresholdType })).thresholdType).toBe(thresholdType);
      },
    );

    it.each(['between', 'not_between'])('%s needs thresholdMax, not less than threshold', async (thresholdType) => {
      const api = new AlertApi(flavour);
      const body = { ...seedBody, thresholdType };
      expect(await refused(api, body)).toContain('thresholdMax');
      expect(await refused(api, { ...body, thresholdMax: 99 })).toContain('thresholdMax');
      expect((await api.create({ ...body, thresholdMax: 100 })).thresholdMax).toBe(100);
      const { id } = await api.create({ ...body, thresholdMax: 200 });
      expect((await api.get(id)).thresholdMax).toBe(200);
    });
  });

  describe('saved searches (contract §3.1)', () => {
    const { dashboardId: _dashboard, tileId: _tile, source: _source, ...rule } = seedBody;
    const watching = { ...rule, savedSearchId };

    it('are watched by id; the source follows from it; groupBy is shown when it is set', async () => {
      const api = new AlertApi(flavour);
      const created = await api.create(watching);
      expect(created).toMatchObject({ source: 'saved_search', savedSearchId });
      for (const absent of ['dashboardId', 'tileId', 'groupBy']) expect(created).not.toHaveProperty(absent);
      const grouped = { ...watching, source: 'saved_search', groupBy: 'ServiceName, SeverityText' };
      expect(await api.put(created.id, grouped)).toMatchObject({ groupBy: 'ServiceName, SeverityText' });
      for (const groupBy of [null, '']) {
        expect(await api.put(created.id, { ...grouped, groupBy })).not.toHaveProperty('groupBy');
      }
      expect(await api.get(created.id)).toEqual({ ...created, updatedAt: expect.any(String) });
    });

    it('a client that sends every field, unset ones as null, is understood', async () => {
      const unset = {
        note: null,
        groupBy: null,
        scheduleStartAt: null,
        numConsecutiveWindows: null,
        thresholdMax: null,
      };
      const body = { ...watching, ...unset, source: 'saved_search', dashboardId: null, tileId: null };
      const created = await new AlertApi(flavour).create(body);
      expect(created).toMatchObject({ source: 'saved_search', savedSearchId, scheduleStartAt: null });
    });

    it('an alert may change from a tile to a saved search and back', async () => {
      const api = new AlertApi(flavour);
      const { id } = await api.create();
      const changed = await api.put(id, { ...watching, dashboardId: null, tileId: null });
      expect(changed).toMatchObject({ source: 'saved_search', savedSearchId });
      expect(changed).not.toHaveProperty('dashboardId');
      const back = await api.put(id, { ...seedBody, savedSearchId: null, groupBy: null });
      expect(back).toMatchObject({ source: 'tile', dashboardId });
      expect(back).not.toHaveProperty('savedSearchId');
    });

    it.each([
      ['an unknown one', { savedSearchId: unknownId }, 'savedSearchId: there is no saved search with this id.'],
      [
        'a foreign one',
        { savedSearchId: foreignSavedSearchId },
        'savedSearchId: there is no saved search with this id.',
      ],
      ['a malformed one', { savedSearchId: 'x' }, 'savedSearchId: there is no saved search with this id.'],
      ['none', { savedSearchId: null, source: 'saved_search' }, 'savedSearchId: is required'],
    ])('%s is 400 at create and update; nothing is stored', async (_title, parts, text) => {
      const api = new AlertApi(flavour);
      expect(await refused(api, { ...watching, ...parts })).toContain(text);
      expect(await api.list()).toEqual([]);
      const created = await api.create(watching);
      expect(await refused(api, { ...watching, ...parts }, created.id)).toContain(text);
      expect(await api.get(created.id)).toEqual(created);
    });

    it('a tile takes no groupBy: it has its own', async () => {
      expect(await refused(new AlertApi(flavour), { ...seedBody, groupBy: 'ServiceName' })).toContain('groupBy');
    });
  });

  describe('U-35, U-106: references', () => {
    it.each([
      ['an unknown dashboard', { dashboardId: unknownId }, 'dashboardId: there is no dashboard with this id.'],
      ['a foreign dashboard', { dashboardId: foreignDashboardId }, 'dashboardId: there is no dashboard with this id.'],
      ['a malformed dashboard id', { dashboardId: 'x\u0000' }, 'dashboardId: there is no dashboard with this id.'],
      ['a tile of no dashboard', { tileId: 'nope' }, 'tileId: the dashboard has no tile with this id.'],
      [
        'an unknown webhook',
        { channel: { type: 'webhook', webhookId: unknownId } },
        'channel.webhookId: there is no webhook with this id.',
      ],
      [
        'a foreign webhook',
        { channel: { type: 'webhook', webhookId: foreignWebhookId } },
        'channel.webhookId: there is no webhook with this id.',
      ],
    ])('%s is 400 at create and update; nothing is stored', async (_title, parts, text) => {
      const api = new AlertApi(flavour);
      expect(await refused(api, { ...seedBody, ...parts })).toContain(text);
      expect(await api.list()).toEqual([]);
      const created = await api.create();
      expect(await refused(api, { ...seedBody, ...parts }, created.id)).toContain(text);
      expect(await api.get(created.id)).toEqual(created);
    });

    it.each([
      'line',
      'number',
      'config-line',
      'config-bars',
      'config-areas',
      'config-number',
      'sql-line',
      'sql-number',
    ])('tile %s can be watched', async (tileId) => {
      expect((await new AlertApi(flavour).create({ ...seedBody, tileId })).tileId).toBe(tileId);
    });

    it.each([
      ['sql-unbucketed', 'no bucket that could be the window'],
      ['sql-table', 'only tiles that show lines, stacked bars or a number'],
    ])('tile %s can’t be watched, as nothing would ever evaluate it', async (tileId, reason) => {
      expect(await refused(new AlertApi(flavour), { ...seedBody, tileId })).toContain(reason);
    });

    it('a chart of the alert’s own, and another way to detect, are rejected; labels come back', async () => {
      const api = new AlertApi(flavour);
      expect(await refused(api, { ...seedBody, chartConfig: {} })).toContain('chartConfig: is not supported');
      expect(await refused(api, { ...seedBody, detectionMode: 'anomaly' })).toContain(
        'detectionMode: must be threshold',
      );
      const labels = { displayName: 'Errors', tags: ['team:shop'], detectionMode: 'threshold' } as const;
      expect(await api.create({ ...seedBody, ...labels })).toMatchObject(labels);
      const { id, ...bare } = await api.create(seedBody);
      expect(Object.keys(bare)).not.toEqual(expect.arrayContaining(['tags']));
      expect(id).toBeDefined();
    });

    it.each(['table', 'markdown', 'empty', 'config-table'])('tile %s can’t be watched', async (tileId) => {
      expect(await refused(new AlertApi(flavour), { ...seedBody, tileId })).toContain('tileId');
    });
  });

  describe('channels', () => {
    const [first, second] = [
      { type: 'webhook', webhookId },
      { type: 'webhook', webhookId: otherWebhookId },
    ];

    it('U-109: channel alone gains channels; several are echoed; a PUT with channel collapses them', async () => {
      const api = new AlertApi(flavour);
      const { id, ...created } = await api.create({ ...withoutChannel, channels: [second, first] });
      expect(created).toMatchObject({ channel: second, channels: [second, first] });
      expect(await api.put(id, { ...seedBody, channel: second, channels: [second, first] })).toMatchObject({
        channels: [second, first],
      });
      expect(await api.put(id, seedBody)).toMatchObject({ channel: first, channels: [first] });
    });

    it('duplicates, more than ten, and a channel other than channels.0 are rejected', async () => {
      const api = new AlertApi(flavour);
      expect(await refused(api, { ...withoutChannel, channels: [first, first] })).toContain('channels.1.webhookId');
      expect(await refused(api, { ...withoutChannel, channels: Array(11).fill(first) })).toContain('channels');
      expect(await refused(api, { ...seedBody, channels: [second, first] })).toContain('channel');
    });

    it('what clients add to a channel is kept', async () => {
      const channel = { ...first, severity: 'critical', slackChannelId: 'C1', webhookService: 'slack' };
      expect((await new AlertApi(flavour).create({ ...seedBody, channel })).channel).toEqual(channel);
    });
  });

  describe('decisions A3: PUT is a full replacement', () => {
    const full = {
      ...seedBody,
      note: 'n',
      numConsecutiveWindows: 3,
      scheduleOffsetMinutes: 15,
      missingData: 'keep',
      repeatInterval: '4h',
      enabled: true,
    };

    it('every optional field that is omitted is cleared', async () => {
      const api = new AlertApi(flavour);
      const { id, ...before } = await api.create(full);
      expect(before).toMatchObject(full);
      const { name: _name, message: _message, ...bare } = seedBody;
      const after = await api.put(id, bare);
      expect(after).toMatchObject({ name: null, message: null, note: null, numConsecutiveWindows: null });
      for (const field of ['scheduleOffsetMinutes', 'missingData', 'repeatInterval', 'enabled'])
        expect(after).not.toHaveProperty(field);
    });

    it('null is the same as omitted; scheduleStartAt says null when it was cleared so', async () => {
      const api = new AlertApi(flavour);
      const nulls = { name: null, message: null, note: null, numConsecutiveWindows: null, thresholdMax: null };
      const cleared = await api.create({ ...seedBody, ...nulls, scheduleOffsetMinutes: null, scheduleStartAt: null });
      expect(cleared).toMatchObject({ name: null, note: null, scheduleStartAt: null });
      expect(cleared).not.toHaveProperty('scheduleOffsetMinutes');
    });

    it('scheduleStartAt comes back verbatim, and not together with an offset', async () => {
      const api = new AlertApi(flavour);
      const { id, scheduleStartAt } = await api.create({ ...seedBody, scheduleStartAt: '2026-01-02T00:00:00Z' });
      expect(scheduleStartAt).toBe('2026-01-02T00:00:00Z');
      const both = { ...seedBody, scheduleStartAt: '2026-01-02T00:00:00Z', scheduleOffsetMinutes: 5 };
      expect(await refused(api, both)).toContain('scheduleOffsetMinutes');
      expect(await refused(api, both, id)).toContain('scheduleOffsetMinutes');
    });

    it('PUT of a GET changes nothing but the time', async () => {
      const api = new AlertApi(flavour);
      const created = await api.create(full);
      await api.time.advance(1_000);
      const { updatedAt, ...rest } = await api.put(created.id, created);
      expect({ ...rest, updatedAt: created.updatedAt }).toEqual(created);
      expect(updatedAt).toBe('2026-01-01T00:00:01.000Z');
    });

    it('decisions F8: unknown keys are dropped', async () => {
      expect(await new AlertApi(flavour).create({ ...seedBody, foo: 1, id: 'mine' })).not.toHaveProperty('foo');
    });
  });

  describe('enabled', () => {
    it('decisions A4: false is DISABLED from the start, and in every answer', async () => {
      const api = new AlertApi(flavour);
      const off = await api.create({ ...seedBody, enabled: false });
      expect(off).toMatchObject({ enabled: false, state: 'DISABLED' });
      expect(await api.get(off.id)).toEqual(off);
      expect(await api.list()).toEqual([off]);
      expect(await api.put(off.id, { ...seedBody, enabled: false })).toMatchObject({ state: 'DISABLED' });
    });

    it.each([{ enabled: true }, {}])('%j switches it on again, at OK', async (on) => {
      const api = new AlertApi(flavour);
      const { id } = await api.create({ ...seedBody, enabled: false });
      const after = await api.put(id, { ...seedBody, ...on });
      expect(after.state).toBe('OK');
      expect('enabled' in after).toBe('enabled' in on);
      expect(await api.get(id)).toEqual(after);
    });
  });

  it('several alerts on one tile are legal', async () => {
    const api = new AlertApi(flavour);
    await api.create();
    await api.create({ ...seedBody, dashboardId, threshold: 1 });
    expect(await api.list()).toHaveLength(2);
  });
});
