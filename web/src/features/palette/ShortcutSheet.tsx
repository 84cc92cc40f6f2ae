import { Kbd, Modal, Table, Title } from '@mantine/core';
import { Fragment } from 'react';
import { hasTelemetry } from '../../boot.ts';
import { sections } from '../../ui/sections.ts';
import { redoKeys, undoKeys } from '../dashboards/use-undo-keys.ts';
import { paletteKeys } from './key-press.ts';

interface Shortcut {
  /** Pressed one after another. */
  keys: readonly string[];
  does: string;
}

const everywhere: Shortcut[] = [
  { keys: [paletteKeys], does: 'Jump to a page, dashboard, alert, saved search, service or trace' },
  { keys: ['?'], does: 'Show this sheet' },
  { keys: ['Esc'], does: 'Close what is open above the page' },
  ...sections.map(({ letter, label }) => ({ keys: ['g', letter], does: label })),
];

const ofParts: { title: string; shortcuts: Shortcut[] }[] = [
  {
    title: 'Events and traces',
    shortcuts: [
      { keys: ['↑ ↓'], does: 'Move in the list of events or in a trace' },
      { keys: ['Enter'], does: 'Open the event' },
      { keys: ['j'], does: 'Next event, while one is open' },
      { keys: ['k'], does: 'Previous event' },
      { keys: ['← →'], does: 'Close or open the spans below a span' },
    ],
  },
  {
    title: 'Editing a dashboard',
    shortcuts: [
      { keys: ['← ↑ ↓ →'], does: 'Move the tile whose handle has the focus' },
      { keys: ['Shift + arrow'], does: 'Change its size' },
      { keys: ['Esc'], does: 'Put the tile back; leave kiosk mode' },
      { keys: [undoKeys], does: 'Take the last edit back' },
      { keys: [redoKeys], does: 'Make it again' },
    ],
  },
];

/** Which keys do what. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const parts = [{ title: 'Everywhere', shortcuts: everywhere }, ...(hasTelemetry ? ofParts : [])];
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size={560}>
      {parts.map(({ title, shortcuts }) => (
        <Fragment key={title}>
          <Title order={3} mt={8} mb={4}>
            {title}
          </Title>
          <Table aria-label={title} verticalSpacing={4}>
            <Table.Tbody>
              {shortcuts.map(({ keys, does }) => (
                <Table.Tr key={keys.join(' ') + does}>
                  <Table.Td w={150}>
                    {keys.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 ? ' ' : null}
                        <Kbd size="xs">{key}</Kbd>
                      </Fragment>
                    ))}
                  </Table.Td>
                  <Table.Td>{does}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Fragment>
      ))}
    </Modal>
  );
}
