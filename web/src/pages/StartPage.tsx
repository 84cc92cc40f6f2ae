import { Stack } from '@mantine/core';
import { ArrivalPanel } from '../features/first-run/ArrivalPanel.tsx';
import { FirstKey } from '../features/first-run/FirstKey.tsx';
import { Page } from '../ui/Page.tsx';

/** From nothing to one's own first events on the screen. */
export function StartPage() {
  return (
    <Page title="Send data" narrow>
      <Stack gap={16}>
        <FirstKey />
        <ArrivalPanel />
      </Stack>
    </Page>
  );
}
