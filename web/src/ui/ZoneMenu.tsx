import { Button, Combobox, ScrollArea, Text, useCombobox } from '@mantine/core';
import { IconCheck, IconWorld } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { zoneAt } from './instant-text.ts';
import { knownZones } from './known-zones.ts';
import { browserZone } from './page-zone.ts';
import classes from './ZoneMenu.module.css';
import { chooseZone, usePageZone, useZoneChoice } from './zone-choice.ts';

interface Option {
  value: string;
  label: string;
}

/** Names the zone of every time on the page, and is where another is chosen. */
export function ZoneMenu({ short = false }: { short?: boolean }) {
  const choice = useZoneChoice();
  const zone = usePageZone();
  const [text, setText] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      setText('');
      combobox.focusTarget();
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const { offset } = zoneAt(Date.now(), zone);
  const name = zone === offset ? zone : `${zone} (${offset})`;
  return (
    <Combobox
      store={combobox}
      width={260}
      position="top-start"
      onOptionSubmit={(value) => {
        chooseZone(value);
        combobox.closeDropdown();
      }}
    >
      <Combobox.Target targetType="button">
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          fullWidth={!short}
          justify="flex-start"
          leftSection={<IconWorld size={14} stroke={1.7} />}
          className={classes.button}
          title={`All times are in ${name}.`}
          aria-label={`Time zone: ${name}`}
          onClick={(event) => {
            event.stopPropagation();
            combobox.toggleDropdown();
          }}
        >
          {short ? offset : name}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown onClick={(event) => event.stopPropagation()}>
        <Combobox.Search
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          placeholder="Search time zones"
          aria-label="Search time zones"
        />
        <Combobox.Options>
          <ScrollArea.Autosize mah={260} type="auto">
            <ZoneOptions text={text} choice={choice} />
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

const shownMax = 50;

function ZoneOptions({ text, choice }: { text: string; choice: string }) {
  const all = useMemo(allZones, []);
  const wanted = text.trim().toLowerCase().replaceAll(' ', '_');
  const found = all.filter(({ value, label }) => `${value} ${label}`.toLowerCase().includes(wanted));
  if (found.length === 0) return <Combobox.Empty>No time zone has this name.</Combobox.Empty>;
  return found.slice(0, shownMax).map(({ value, label }) => (
    <Combobox.Option key={value} value={value} active={value === choice}>
      <span className={classes.option}>
        <Text size="sm" span truncate>
          {label}
        </Text>
        {value === choice ? <IconCheck size={14} aria-label="chosen" /> : null}
      </span>
    </Combobox.Option>
  ));
}

function allZones(): Option[] {
  const browser = zoneAt(Date.now(), browserZone);
  return [
    { value: 'local', label: `Browser time: ${browser.name}` },
    ...knownZones().map((value) => ({ value, label: value })),
  ];
}
