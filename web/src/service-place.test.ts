import { expect, it } from 'vitest';
import { servicePlaceOf } from './service-place.ts';

const organizationId = '11111111-2222-4333-8444-555555555555';
const serviceId = '66666666-7777-4888-8999-AAAAAAAAAAAA';
const ofService = `organizations/${organizationId}/services/${serviceId}`;

it.each(['/', '/watch/'])('an address below a service is of that service; pages at %s', (basePath) => {
  const place = { organizationId, serviceId, pagesPath: `${basePath}${ofService}` };
  for (const rest of ['', '/', '/dashboards/1', '/pipes/new', '/services/a%2Fb']) {
    expect(servicePlaceOf(`${basePath}${ofService}${rest}`, basePath), rest).toEqual(place);
  }
});

it.each([
  '/',
  '/organizations',
  `/organizations/${organizationId}`,
  `/organizations/${organizationId}/services`,
  `/organizations/${organizationId}/services/production`,
  `/organizations/acme/services/${serviceId}`,
  `/${ofService}x`,
  `/dashboards/${ofService}`,
  `//${ofService}`,
])('%s is outside of every service', (pathname) => {
  expect(servicePlaceOf(pathname, '/')).toBeUndefined();
});

it('an address beside the path of the pages is none of theirs', () => {
  expect(servicePlaceOf(`/${ofService}`, '/watch/')).toBeUndefined();
});
