import { ActionIcon, Group, Text, TextInput, Tooltip } from '@mantine/core';
import { IconColumnInsertRight, IconColumnRemove, IconFilter, IconFilterOff, IconSearch } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { type AttributeEntry, attributeEntries, findEntries, groupEntries } from './attribute-entries.ts';
import { formatEventTime } from './event-text.ts';
import classes from './Search.module.css';
import type { ClauseTest, FilterField } from './where-clause.ts';

export interface AttributeTableProps {
  event: Record<string, unknown>;
  /** Absent where there is no search to narrow. */
  onFilter?: (test: ClauseTest) => void;
  /** Whether the list beside shows this field in a column; absent where there is no list. */
  isColumn?: (field: FilterField) => boolean;
  onToggleColumn?: (field: FilterField) => void;
}

/** All that an event says, by name; searched in names and values. */
export function AttributeTable({ event, ...actions }: AttributeTableProps) {
  const [text, setText] = useState('');
  const entries = findEntries(attributeEntries(event), text);
  return (
    <div>
      <TextInput
        size="xs"
        mb={6}
        leftSection={<IconSearch size={13} />}
        aria-label="Search attributes"
        placeholder="Search attributes"
        value={text}
        onChange={(change) => setText(change.currentTarget.value)}
      />
      <table className={classes.attributes}>
        <tbody>
          {groupEntries(entries).map(([group, lines]) => (
            <Fragment key={group}>
              {group === '' ? null : (
                <tr>
                  <th scope="colgroup" colSpan={3} className={classes.attributeGroup}>
                    {group}
                  </th>
                </tr>
              )}
              {lines.map((entry) => (
                <AttributeLine key={entry.field.name} entry={entry} {...actions} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
      {entries.length === 0 ? (
        <Text size="xs" c="var(--sb-muted)" py={8}>
          No attribute name or value contains this.
        </Text>
      ) : null}
    </div>
  );
}

interface AttributeLineProps extends Omit<AttributeTableProps, 'event'> {
  entry: AttributeEntry;
}

function AttributeLine({ entry, onFilter, isColumn, onToggleColumn }: AttributeLineProps) {
  const { field, label, value, isTime, filterable } = entry;
  return (
    <tr>
      <th scope="row" title={field.name}>
        {label.split('.').map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name keep their places
          <Fragment key={index}>
            {index > 0 ? (
              <>
                .<wbr />
              </>
            ) : null}
            {part}
          </Fragment>
        ))}
      </th>
      <td>{isTime ? formatEventTime(value) : value}</td>
      <td>
        <Group gap={0} wrap="nowrap" justify="flex-end">
          {onFilter && filterable ? (
            <>
              <AttributeAction
                label={`Only ${field.name} = this value`}
                onClick={() => onFilter({ field, value, mode: 'include' })}
                Icon={IconFilter}
              />
              <AttributeAction
                label={`Exclude ${field.name} = this value`}
                onClick={() => onFilter({ field, value, mode: 'exclude' })}
                Icon={IconFilterOff}
              />
            </>
          ) : null}
          {onToggleColumn ? (
            <AttributeAction
              label={`${isColumn?.(field) ? 'Remove column' : 'Add as column'} ${field.name}`}
              onClick={() => onToggleColumn(field)}
              Icon={isColumn?.(field) ? IconColumnRemove : IconColumnInsertRight}
            />
          ) : null}
          <CopyButton value={value} label={`Copy ${field.name}`} />
        </Group>
      </td>
    </tr>
  );
}

function AttributeAction({ label, onClick, Icon }: { label: string; onClick: () => void; Icon: typeof IconFilter }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onClick}>
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
