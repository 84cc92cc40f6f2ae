import type { ImportFormat, ImportNote, ImportReference } from '../../../contract/dashboard-import.ts';
import { readGrafana } from './grafana/read-grafana.ts';
import { ImportContext, type KnownNames, type Mapping } from './import-context.ts';
import { isObject, type JsonObject, objectOf, objectsOf } from './json-values.ts';
import { readHyperdx } from './read-hyperdx.ts';
import { readHyperdxCharts } from './read-hyperdx-charts.ts';
import { readSignalbox } from './read-signalbox.ts';

/** What a document says, with the ids of this installation; its body is still to be checked. */
export interface ReadDashboard {
  format: ImportFormat;
  body: Record<string, unknown>;
  references: ImportReference[];
  notes: ImportNote[];
}

/** A document that is no dashboard of a known kind; the sentence says what it lacks. */
export class UnknownDocument extends Error {}

const readers: Readonly<
  Record<ImportFormat, (document: JsonObject, context: ImportContext) => Record<string, unknown>>
> = {
  signalbox: readSignalbox,
  hyperdx: readHyperdx,
  'hyperdx-charts': readHyperdxCharts,
  grafana: readGrafana,
};

/** Reads a dashboard of any known kind. Throws `UnknownDocument`. */
export function importDashboard(document: unknown, known: KnownNames, mapping: Mapping): ReadDashboard {
  const unwrapped = isObject(document) && isObject(document.data) && !('tiles' in document) ? document.data : document;
  const format = formatOf(unwrapped);
  const context = new ImportContext(known, mapping);
  // Every format is one of an object.
  const body = readers[format](unwrapped as JsonObject, context);
  return { format, body, references: context.references, notes: context.notes };
}

function formatOf(document: unknown): ImportFormat {
  if (!isObject(document)) throw new UnknownDocument('The document must be a JSON object: one exported dashboard.');
  const grafana = objectOf(document.dashboard);
  if (Array.isArray(document.panels) || Array.isArray(grafana.panels)) return 'grafana';
  if (Array.isArray(document.rows) || isObject(objectOf(document.spec).elements) || isObject(grafana.elements)) {
    throw new UnknownDocument(
      'This is a Grafana dashboard without “panels”: export it again as JSON in the classic model, from Grafana 5 or later.',
    );
  }
  if (Array.isArray(document.tiles)) return isOfPages(objectsOf(document.tiles)) ? 'hyperdx' : 'signalbox';
  if (Array.isArray(document.charts)) return 'hyperdx-charts';
  throw new UnknownDocument(
    'The document is no dashboard: it has neither “tiles” (HyperDX and this program) nor “charts” (HyperDX’s first API) nor “panels” (Grafana).',
  );
}

/** HyperDX's pages write the name and the source of a tile into its `config`, where the API has ids. */
function isOfPages(tiles: readonly JsonObject[]): boolean {
  return tiles.some(
    ({ config }) => isObject(config) && ('name' in config || 'source' in config || 'connection' in config),
  );
}
