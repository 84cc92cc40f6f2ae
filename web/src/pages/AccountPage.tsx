import { Stack, Text } from '@mantine/core';
import { useSession } from '../api/session.ts';
import { PasswordForm } from '../features/account/PasswordForm.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';

/** Who one is here, and the password. */
export function AccountPage() {
  const user = useSession()?.user;
  return (
    <Page title="Account" narrow>
      <Stack gap={16}>
        <Panel title="You">
          {user?.name ? <Text fw={600}>{user.name}</Text> : null}
          <Text size="sm">{user?.email}</Text>
        </Panel>
        <Panel title="Password" description="Changing it ends your sessions in other browsers.">
          <PasswordForm />
        </Panel>
      </Stack>
    </Page>
  );
}
