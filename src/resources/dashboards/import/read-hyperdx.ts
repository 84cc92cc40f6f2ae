import { filterKeys } from '../../../contract/dashboard-filter.ts';
import { type ImportContext, NotTaken } from './import-context.ts';
import { placeOf, takenTiles } from './import-tiles.ts';
import { type JsonObject, objectOf, objectsOf, picked, textOf } from './json-values.ts';
import { hyperdxConfig } from './read-hyperdx-config.ts';

/** The body of an export of HyperDX's pages, which names sources and connections. */
export function readHyperdx(document: JsonObject, context: ImportContext): Record<string, unknown> {
  const tiles = takenTiles(objectsOf(document.tiles), context, {
    nameOf: (tile) => textOf(objectOf(tile.config).name),
    take: (tile, label) => {
      const config = objectOf(tile.config);
      if (config.alert) context.leftOut(label, 'Its alert is not taken over; make a new one.');
      return { name: textOf(config.name), ...placeOf(tile), config: hyperdxConfig(config, context, label) };
    },
  });
  const filters = objectsOf(document.filters).flatMap((filter) => takenFilter(filter, context));
  return {
    ...picked(document, ['tags', 'savedQuery', 'savedQueryLanguage', 'savedFilterValues', 'containers']),
    name: textOf(document.name),
    tiles,
    ...(filters.length > 0 && { filters }),
  };
}

const nameless = ['id', 'source', 'sourceId', 'appliesToSourceIds', 'minSelections', 'maxSelections'];

/** The filter with ids of this installation; in either form of the reference. */
export function takenFilter(filter: JsonObject, context: ImportContext): object[] {
  const label = `Filter “${textOf(filter.name)}”`;
  try {
    const sourceId = context.source({ key: textOf(filter.sourceId) || textOf(filter.source) });
    const applies = Array.isArray(filter.appliesToSourceIds) ? filter.appliesToSourceIds.map(textOf) : [];
    if (filter.minSelections || filter.maxSelections) {
      context.changed(label, 'Any number of its values can be selected.');
    }
    const fields = picked(
      filter,
      filterKeys.filter((key) => !nameless.includes(key)),
    );
    if (fields.where === '') delete fields.where;
    return [
      {
        ...fields,
        type: 'QUERY_EXPRESSION',
        sourceId,
        ...(applies.length > 0 && { appliesToSourceIds: applies.map((key) => context.source({ key })) }),
      },
    ];
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    context.leftOut(label, error.message);
    return [];
  }
}
