import { ActionIcon, Group, Popover, Stack, Text } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowsMove,
  IconArrowUp,
  IconViewportNarrow,
  IconViewportShort,
  IconViewportTall,
  IconViewportWide,
} from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { ArrangeStep, Direction } from './arrange-tiles.ts';

export interface TileHandleProps {
  /** Of the tile. */
  name: string;
  onStep: (step: ArrangeStep) => void;
  /** Puts the tile back where it was before the steps. */
  onPutBack: () => void;
}

const keys: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const help = 'Arrow keys move the tile, Shift with an arrow resizes it, Escape puts it back.';

/** Moves and sizes a tile without dragging: by the arrow keys, or by the buttons that it opens. */
export function TileHandle({ name, onStep, onPutBack }: TileHandleProps) {
  const [opened, setOpened] = useState(false);
  const pressed = useRef({ x: 0, y: 0 });
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !opened) onPutBack();
    const direction = keys[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    onStep({ kind: event.shiftKey ? 'resize' : 'move', direction });
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon
          className="tile-handle"
          variant="subtle"
          color="gray"
          size="sm"
          aria-label={`Move or resize ${name}`}
          aria-description={help}
          title={help}
          onKeyDown={press}
          onPointerDown={({ clientX, clientY }: PointerEvent) => {
            pressed.current = { x: clientX, y: clientY };
          }}
          onClick={({ detail, clientX, clientY }) => {
            // What was dragged by it follows the pointer, so that a drag ends with a click.
            const { x, y } = pressed.current;
            if (detail === 0 || Math.hypot(clientX - x, clientY - y) < 4) setOpened(!opened);
          }}
        >
          <IconArrowsMove size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Move or resize ${name}`}>
        <Steps onStep={onStep} />
      </Popover.Dropdown>
    </Popover>
  );
}

const steps = [
  { label: 'Move left', Icon: IconArrowLeft, kind: 'move', direction: 'left' },
  { label: 'Move up', Icon: IconArrowUp, kind: 'move', direction: 'up' },
  { label: 'Move down', Icon: IconArrowDown, kind: 'move', direction: 'down' },
  { label: 'Move right', Icon: IconArrowRight, kind: 'move', direction: 'right' },
  { label: 'Narrower', Icon: IconViewportNarrow, kind: 'resize', direction: 'left' },
  { label: 'Wider', Icon: IconViewportWide, kind: 'resize', direction: 'right' },
  { label: 'Shorter', Icon: IconViewportShort, kind: 'resize', direction: 'up' },
  { label: 'Taller', Icon: IconViewportTall, kind: 'resize', direction: 'down' },
] as const;

function Steps({ onStep }: Pick<TileHandleProps, 'onStep'>) {
  return (
    <Stack gap={8}>
      {(['move', 'resize'] as const).map((kind) => (
        <Group key={kind} gap={6} wrap="nowrap">
          <Text size="xs" w={44}>
            {kind === 'move' ? 'Place' : 'Size'}
          </Text>
          {steps
            .filter((step) => step.kind === kind)
            .map(({ label, Icon, ...step }) => (
              <ActionIcon
                key={label}
                variant="default"
                size={30}
                aria-label={label}
                title={label}
                onClick={() => onStep(step)}
              >
                <Icon size={15} />
              </ActionIcon>
            ))}
        </Group>
      ))}
      <Text size="xs" c="var(--sb-muted)" maw={200}>
        Or on the handle itself: {help}
      </Text>
    </Stack>
  );
}
