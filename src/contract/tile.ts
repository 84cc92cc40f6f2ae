import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';
import { TileSeriesSchema } from './series.ts';
import { TileConfigSchema } from './tile-config.ts';

const containerId = Type.String({ minLength: 1, maxLength: limits.containerIdLength });
const fields = {
  name: Type.Optional(Type.String({ maxLength: limits.nameLength })),
  description: Type.Optional(
    Type.String({ maxLength: limits.tileDescriptionLength, description: 'What the tile shows, for its readers.' }),
  ),
  asRatio: Type.Optional(Type.Boolean()),
  series: Type.Optional(Type.Array(TileSeriesSchema, { maxItems: limits.seriesPerTile })),
  config: Type.Optional(TileConfigSchema),
};
/** Omitted fields of a known tile keep their value, so that leaving a section has to be said. */
const leavable = (what: string) =>
  Type.Optional(Type.Union([containerId, Type.Null()], { description: `null takes the tile out of its ${what}.` }));
const x = Type.Integer({ minimum: 0, maximum: limits.gridColumns - 1 });
const y = Type.Integer({ minimum: 0, maximum: limits.gridRows });
const w = Type.Integer({ minimum: 1, maximum: limits.gridColumns });
const h = Type.Integer({ minimum: 1, maximum: limits.gridRows });

/** A tile as stored and returned: placed, with its id, in the form in which it was written (decisions D5). */
export const TileSchema = Type.Object(
  {
    id: Type.String(),
    x,
    y,
    w,
    h,
    ...fields,
    containerId: Type.Optional(containerId),
    tabId: Type.Optional(containerId),
  },
  { title: 'Tile' },
);
export type Tile = Static<typeof TileSchema>;

/** A tile as sent: all its fields are optional (seed §Tile). Unknown keys are kept (decisions F8). */
export const TileInputSchema = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: limits.tileIdLength })),
    x: Type.Optional(x),
    y: Type.Optional(y),
    w: Type.Optional(w),
    h: Type.Optional(h),
    ...fields,
    containerId: leavable('section'),
    tabId: leavable('tab'),
  },
  { title: 'TileInput' },
);
export type TileInput = Static<typeof TileInputSchema>;

/** Every key of a tile that we know. */
export const tileKeys: ReadonlySet<string> = new Set(Object.keys(TileSchema.properties));
