import { Group, Input } from '@mantine/core';
import { isOverTime } from '../../../../src/contract/time-display.ts';
import { SqlEditor } from '../where-editor/SqlEditor.tsx';
import { NumberFormatSelect } from './NumberFormatSelect.tsx';
import type { TileDraft } from './tile-draft.ts';

export interface SqlFieldsProps {
  draft: TileDraft;
  sourceId: string;
  change: (patch: Partial<TileDraft>) => void;
  error: { message: string; position?: number; path?: string } | undefined;
}

const timeHint = `SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS events
FROM $__sourceTable
WHERE $__timeFilter(Timestamp) AND $__filters
GROUP BY ts, ServiceName ORDER BY ts`;
const rowsHint = `SELECT ServiceName, count() AS events
FROM $__sourceTable
WHERE $__timeFilter(Timestamp) AND $__filters
GROUP BY ServiceName ORDER BY events DESC LIMIT 20`;
const numberHint = 'SELECT count() FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND $__filters';

/** What the columns of the answer become. */
const meanings = {
  time: 'The first date or time is the time axis, numbers are values, and other columns name the series.',
  rows: 'Numbers are values, and other columns name the rows.',
  number: 'The last number of the first row is shown.',
};

/** The statement of a tile. */
export function SqlFields({ draft, sourceId, change, error }: SqlFieldsProps) {
  const { displayType, sql, numberFormat } = draft;
  const hasTimeAxis = isOverTime(displayType);
  const isNumber = displayType === 'number';
  return (
    <>
      <Input.Wrapper
        label="SQL"
        labelElement="div"
        size="xs"
        description={hasTimeAxis ? meanings.time : isNumber ? meanings.number : meanings.rows}
      >
        <SqlEditor
          value={sql}
          sourceId={sourceId}
          onChange={(next) => change({ sql: next })}
          hint={hasTimeAxis ? timeHint : isNumber ? numberHint : rowsHint}
          error={error?.path === 'config.sqlTemplate' ? error : undefined}
        />
      </Input.Wrapper>
      <Group grow>
        <NumberFormatSelect value={numberFormat} onChange={(format) => change({ numberFormat: format })} />
      </Group>
    </>
  );
}
