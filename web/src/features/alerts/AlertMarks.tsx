import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { instantOfWall, zoneAt } from '../../ui/instant-text.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { type AlertMark, useMarkAlert } from './alert-queries.ts';

const choices = [
  { label: '1 hour', hours: 1 },
  { label: '4 hours', hours: 4 },
  { label: '1 day', hours: 24 },
];

/** Silences an alert until a given time, and acknowledges a firing one. */
export function AlertMarks({ alert }: { alert: AlertRecord }) {
  const change = useMarkAlert(alert.id);
  const [opened, { open, close }] = useDisclosure();
  const mark = (input: AlertMark, done: string) =>
    change.mutate(input, { onSuccess: () => showDone(done), onError: showFailure });
  const silenceUntil = (at: Date) => mark({ mark: 'silenced', body: { until: at.toISOString() } }, 'Alert silenced.');
  return (
    <>
      {alert.silenced ? (
        <Button variant="default" onClick={() => mark({ mark: 'silenced' }, 'Alert no longer silenced.')}>
          End silence
        </Button>
      ) : (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">Silence</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {choices.map(({ label, hours }) => (
              <Menu.Item key={label} onClick={() => silenceUntil(new Date(Date.now() + hours * 3_600_000))}>
                {label}
              </Menu.Item>
            ))}
            <Menu.Item onClick={open}>Until …</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {alert.acknowledged ? (
        <Button variant="default" onClick={() => mark({ mark: 'acknowledged' }, 'No longer acknowledged.')}>
          Unacknowledge
        </Button>
      ) : null}
      {alert.state === 'ALERT' && !alert.acknowledged ? (
        <Button onClick={() => mark({ mark: 'acknowledged', body: {} }, 'Alert acknowledged.')}>Acknowledge</Button>
      ) : null}
      <Modal opened={opened} onClose={close} title="Silence until">
        <SilenceForm
          onChoose={(at) => {
            silenceUntil(at);
            close();
          }}
        />
      </Modal>
    </>
  );
}

function SilenceForm({ onChoose }: { onChoose: (at: Date) => void }) {
  const [text, setText] = useState('');
  const atMs = instantOfWall(text);
  const good = atMs > Date.now();
  return (
    <Stack gap={12}>
      <TextInput
        type="datetime-local"
        label={`Until (${zoneAt(good ? atMs : Date.now()).offset})`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={text !== '' && !good ? 'Must be in the future.' : null}
      />
      <Group justify="flex-end">
        <Button disabled={!good} onClick={() => onChoose(new Date(atMs))}>
          Silence
        </Button>
      </Group>
    </Stack>
  );
}
