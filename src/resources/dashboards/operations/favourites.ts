import type { Principal } from '../../../access/principal.ts';
import { AppError } from '../../../contract/errors.ts';
import { FavouriteSchema } from '../../../contract/favourite.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import { type FavouriteOwner, type FavouriteRepository, favouritesMax } from '../favourite-repository.ts';

/** Extension: what a person wants at hand. Theirs alone: others neither see nor change it. */
export function favouriteOperations(favourites: FavouriteRepository): Operation[] {
  return [
    operation({
      id: 'listFavouriteDashboards',
      method: 'GET',
      path: '/favourite-dashboards',
      flavours: ['selfHosted'],
      console: true,
      summary: 'List the favourite dashboards of the caller',
      tag: 'Dashboards',
      role: 'read',
      answer: { kind: 'list', schema: FavouriteSchema },
      errors: ['request_invalid'],
      handle: async ({ principal }) => {
        const ids = await favourites.list(ownerOf(principal));
        return { kind: 'data', data: ids.map((id) => ({ id })) };
      },
    }),
    operation({
      id: 'addFavouriteDashboard',
      method: 'PUT',
      path: '/favourite-dashboards/:id',
      flavours: ['selfHosted'],
      console: true,
      summary: 'Make a dashboard a favourite of the caller',
      tag: 'Dashboards',
      role: 'admin',
      answer: { kind: 'one', schema: FavouriteSchema },
      errors: ['request_invalid', 'dashboard_not_found'],
      handle: async ({ principal, params: { id = '' } }) => {
        const outcome = await favourites.add(ownerOf(principal), id);
        if (outcome === 'missing') throw new AppError('dashboard_not_found');
        if (outcome === 'tooMany') throw invalid(`You have ${favouritesMax} favourites; remove one first.`);
        return { kind: 'data', data: { id } };
      },
    }),
    operation({
      id: 'deleteFavouriteDashboard',
      method: 'DELETE',
      path: '/favourite-dashboards/:id',
      flavours: ['selfHosted'],
      console: true,
      summary: 'Remove a dashboard from the favourites of the caller',
      tag: 'Dashboards',
      role: 'admin',
      answer: { kind: 'none' },
      errors: ['request_invalid'],
      handle: async ({ principal, params: { id = '' } }) => {
        await favourites.remove(ownerOf(principal), id);
        return { kind: 'none' };
      },
    }),
  ];
}

function ownerOf({ tenantId, userId }: Principal): FavouriteOwner {
  if (userId === undefined) throw invalid('This key belongs to no person, so it has no favourites.');
  return { tenantId, userId };
}

function invalid(text: string): AppError {
  return new AppError('request_invalid', { public: text });
}
