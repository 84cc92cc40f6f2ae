import { type Static, Type } from 'typebox';

/** Extension: an entry of `GET /favourite-dashboards`. */
export const FavouriteSchema = Type.Object(
  { id: Type.String({ description: 'Id of the dashboard.' }) },
  { title: 'Favourite' },
);
export type FavouriteRecord = Static<typeof FavouriteSchema>;
