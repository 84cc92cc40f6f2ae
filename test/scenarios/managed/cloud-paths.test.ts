import { beforeAll, expect, it } from 'vitest';
import { managedFlavour } from '../../../src/http/flavours/managed.ts';
import { audienceOf, type Operation } from '../../../src/http/operation.ts';
import { FakeKeys } from '../../../src/http/testing.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { cloudPaths } from '../../support/cloud-paths.ts';
import { twoTenancies } from '../../support/two-tenancies.ts';
import { WebWorld } from '../../support/web-world.ts';

/** What of the cloud API we serve in its own form: answers have fields that it has, or fewer. */
const spoken = [
  'organizations GET',
  'organizations/* GET',
  'O/services GET',
  'O/services POST',
  'O/services/* GET',
  'S/clickpipes GET',
  'S/clickpipes POST',
  'S/clickpipes/* GET',
  'S/clickpipes/* PATCH',
  'S/clickpipes/* DELETE',
  'S/clickpipes/*/state PATCH',
  'S/clickpipes/*/scaling PATCH',
  'S/clickpipes/*/settings GET',
  'S/clickpipes/*/settings PUT',
  'S/clickpipes/schemaDiscovery POST',
  'S/clickstack/dashboards GET',
  'S/clickstack/dashboards POST',
  'S/clickstack/dashboards/* GET',
  'S/clickstack/dashboards/* PUT',
  'S/clickstack/dashboards/* DELETE',
  'S/clickstack/dashboards/validate POST',
  'S/clickstack/alerts GET',
  'S/clickstack/alerts POST',
  'S/clickstack/alerts/* GET',
  'S/clickstack/alerts/* PUT',
  'S/clickstack/alerts/* DELETE',
  'S/clickstack/sources GET',
];

let own: { path: string; method: string }[];

beforeAll(async () => {
  const world = await ApiWorld.open(twoTenancies);
  const web = await WebWorld.open('managed');
  const operations = [...world.operations, ...web.access];
  own = operations.flatMap(managedPaths);
  await web.close();
  await world.close();
});

function managedPaths(operation: Operation): { path: string; method: string }[] {
  if (audienceOf(operation, 'managed') === undefined) return [];
  const flavour = managedFlavour(new FakeKeys(), { aliases: true });
  return flavour.pathsOf(operation).map((path) => ({ path: shortened(path), method: operation.method }));
}

/** As the table writes it. */
function shortened(path: string): string {
  return path
    .replaceAll(/:\w+/g, '*')
    .replace('/v1/organizations/*/services/*/', 'S/')
    .replace('/v1/organizations/*/', 'O/')
    .replace('/v1/', '');
}

const theirs = new Map(cloudPaths.map((row) => [row.split(' ')[0] ?? '', row.split(' ').slice(1)]));

it('no path of ours uses one of the cloud API with a different format', () => {
  const shared = own.filter(({ path }) => theirs.has(path)).map(({ path, method }) => `${path} ${method}`);
  expect(shared.toSorted()).toEqual(spoken.toSorted());
});

it('what we speak of it is in it', () => {
  const unknown = spoken.filter((row) => {
    const [path = '', method = ''] = row.split(' ');
    return !theirs.get(path)?.includes(method);
  });
  expect(unknown).toEqual([]);
});
