import type { ImportContext } from './import-context.ts';
import { placeOf, takenTiles } from './import-tiles.ts';
import { isObject, type JsonObject, objectOf, objectsOf, picked, textOf } from './json-values.ts';
import { takenFilter } from './read-hyperdx.ts';
import { takenClick } from './taken-click.ts';

const placeKeys = new Set(['id', 'x', 'y', 'w', 'h', 'containerId', 'tabId']);

/** The body of a dashboard as this API returns or exports it, with the ids of another installation. */
export function readSignalbox(document: JsonObject, context: ImportContext): Record<string, unknown> {
  for (const named of Object.values(objectOf(document.references)).flatMap(objectsOf)) {
    context.name(textOf(named.id), textOf(named.name));
  }
  const tiles = takenTiles(objectsOf(document.tiles), context, {
    nameOf: (tile) => textOf(tile.name),
    take: (tile) => ({
      ...Object.fromEntries(Object.entries(tile).filter(([key]) => !placeKeys.has(key))),
      ...placeOf(tile),
      ...(isObject(tile.config) && { config: configHere(tile.config, context) }),
      ...(Array.isArray(tile.series) && { series: objectsOf(tile.series).map((one) => withSource(one, context)) }),
    }),
  });
  const filters = objectsOf(document.filters).flatMap((filter) => takenFilter(filter, context));
  return {
    ...picked(document, ['name', 'tags', 'savedQuery', 'savedQueryLanguage', 'savedFilterValues', 'containers']),
    tiles,
    ...(filters.length > 0 && { filters }),
  };
}

function configHere(config: JsonObject, context: ImportContext): JsonObject {
  return {
    ...withSource(config, context),
    ...(typeof config.connectionId === 'string' && { connectionId: context.connection({ key: config.connectionId }) }),
    ...takenClick(config.onClick, context),
  };
}

function withSource(query: JsonObject, context: ImportContext): JsonObject {
  return typeof query.sourceId === 'string' ? { ...query, sourceId: context.source({ key: query.sourceId }) } : query;
}
