import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import classes from './JumpButton.module.css';
import { isApple, paletteKeys } from './key-press.ts';
import { showLayer } from './layer-state.ts';

const keyShortcuts = isApple ? 'Meta+K' : 'Control+K';

/** Opens the palette by pointer, and says by which keys it opens. */
export function JumpButton({ short }: { short: boolean }) {
  const open = () => showLayer('palette');
  if (short) {
    return (
      <ActionIcon variant="subtle" color="gray" onClick={open} aria-label="Jump to…">
        <IconSearch size={16} stroke={1.7} />
      </ActionIcon>
    );
  }
  return (
    <UnstyledButton className={classes.jump ?? ''} onClick={open} aria-keyshortcuts={keyShortcuts}>
      <IconSearch size={14} stroke={1.7} aria-hidden />
      <span className={classes.words}>Jump to…</span>
      <Kbd size="xs" aria-hidden>
        {paletteKeys}
      </Kbd>
    </UnstyledButton>
  );
}
