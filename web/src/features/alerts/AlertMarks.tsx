import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { AlertRecord } from '../../../../src/contract/alert.ts';
import { instantOfWall, zoneAt } from '../../ui/instant-text.ts';
import { showDone, showFailure } from '../../ui/notify.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { type AlertMark, useMarkAlert } from './alert-queries.ts';
import { hoursFromNow, silenceChoices } from './silence-choices.ts';

/** Silences an alert until a given time, and acknowledges a firing one. */
export function AlertMarks({ alert }: { alert: AlertRecord }) {
  const change = useMarkAlert(alert.id);
  const [opened, { open, close }] = useDisclosure();
  const mark = (input: AlertMark, done: string) =>
    change.mutate(input, { onSuccess: () => showDone(done), onError: showFailure });
  const silenceUntil = (until: string) => mark({ mark: 'silenced', body: { until } }, 'Alert silenced.');
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
            {silenceChoices.map(({ label, hours }) => (
              <Menu.Item key={label} onClick={() => silenceUntil(hoursFromNow(hours, Date.now()))}>
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
          onChoose={(until) => {
            silenceUntil(until);
            close();
          }}
        />
      </Modal>
    </>
  );
}

function SilenceForm({ onChoose }: { onChoose: (until: string) => void }) {
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
        description="No notification is sent until then."
        error={text !== '' && !good ? 'Must be in the future.' : null}
      />
      <Group justify="flex-end">
        <ReasonedButton
          reason={good ? undefined : 'Choose a time in the future.'}
          onClick={() => onChoose(new Date(atMs).toISOString())}
        >
          Silence
        </ReasonedButton>
      </Group>
    </Stack>
  );
}
