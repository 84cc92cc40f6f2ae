import { describe, expect, it } from 'vitest';
import { apiPath, isForKeys } from './api-path.ts';

const service = { organizationId: 'o', serviceId: 's' };
const inService = { flavour: 'managed', service } as const;

describe('the path of an operation', () => {
  it.each(['session', 'dashboards/1', 'organizations', 'pipes'])('self-hosted: %s', (path) => {
    expect(apiPath(path, { flavour: 'self-hosted' })).toBe(`api/v2/${path}`);
  });

  it.each([
    ['session'],
    ['account'],
    ['account/password'],
    ['invitations/abc'],
    ['organizations'],
    ['organizations/o/services/s/pipes/p'],
  ])('of people and organizations, in a service and outside: %s', (path) => {
    expect(apiPath(path, { flavour: 'managed' })).toBe(`v1/${path}`);
    expect(apiPath(path, inService)).toBe(`v1/${path}`);
  });

  it.each([
    ['dashboards?limit=1000', 'stack/dashboards?limit=1000'],
    ['charts/tiles', 'stack/charts/tiles'],
    ['services/map', 'stack/services/map'],
    ['sources/1/values?field=a', 'stack/sources/1/values?field=a'],
    ['favourite-dashboards/1', 'stack/favourite-dashboards/1'],
    ['pipes', 'pipes'],
    ['pipes/p/state', 'pipes/p/state'],
    ['ingestion-keys', 'ingestion-keys'],
  ])('of a service: %s', (path, expected) => {
    expect(apiPath(path, inService)).toBe(`v1/organizations/o/services/s/${expected}`);
  });
});

describe('a command is for holders of keys', () => {
  it('in a service only where its API offers the operation', () => {
    for (const path of ['dashboards/1', 'alerts/1']) expect(isForKeys(path, inService), path).toBe(true);
    for (const path of ['charts/tiles', 'search', 'search/export', 'webhooks/1'])
      expect(isForKeys(path, inService), path).toBe(false);
    expect(isForKeys('search', { flavour: 'self-hosted' })).toBe(true);
  });
});
