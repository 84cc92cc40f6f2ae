import { Stack } from '@mantine/core';
import { apiUrl } from '../../api/client.ts';
import { Snippet } from '../../ui/Snippet.tsx';
import { KeyPanel } from '../keys/KeyPanel.tsx';

/** Keys of the API of an organization: a key id and a secret, for Basic authentication. */
export function CloudKeys({ organizationId }: { organizationId: string }) {
  const url = apiUrl(`organizations/${organizationId}/services`);
  return (
    <KeyPanel
      title="API keys"
      description="A key id and a secret, used as user name and password in Basic authentication."
      path={`organizations/${organizationId}/api-keys`}
      noun="API key"
      purpose="Scripts, Terraform and other programs use one to manage the services of this organization."
      withRole
      showSecret={({ keyId = '', keySecret = '' }) => (
        <Stack gap={12}>
          <Snippet text={keyId} label="key id" caption="Key id" autoFocus />
          <Snippet text={keySecret} label="key secret" caption="Key secret" />
          <Snippet text={`curl -u '${keyId}:${keySecret}' ${url}`} label="curl line" caption="To try it" />
        </Stack>
      )}
    />
  );
}
