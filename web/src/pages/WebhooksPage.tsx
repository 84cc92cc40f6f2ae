import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookRecord } from '../../../src/contract/webhook.ts';
import { webhooksQuery } from '../features/alerts/alert-queries.ts';
import { WebhookDialog } from '../features/webhooks/WebhookDialog.tsx';
import { WebhookTable } from '../features/webhooks/WebhookTable.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { Page } from '../ui/Page.tsx';
import { Paged } from '../ui/Pages.tsx';
import { Panel } from '../ui/Panel.tsx';

/** Where notifications go. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery);
  const [edited, setEdited] = useState<WebhookRecord | 'new'>();
  const close = () => setEdited(undefined);
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setEdited('new')}>
      New webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={create}>
      {webhooks.error ? <ErrorNotice error={webhooks.error} onRetry={() => void webhooks.refetch()} /> : null}
      {webhooks.data?.length === 0 ? (
        <EmptyState
          title="No webhooks yet"
          hint="A webhook is where notifications go: a Slack channel, PagerDuty, Microsoft Teams, incident.io or any URL. Add one, send it a test, then choose it in an alert."
        />
      ) : null}
      {webhooks.isPending || (webhooks.data && webhooks.data.length > 0) ? (
        <Panel>
          <Paged label="webhooks" rows={webhooks.data}>
            {(rows) => <WebhookTable webhooks={rows} onEdit={setEdited} />}
          </Paged>
        </Panel>
      ) : null}
      {edited ? <WebhookDialog webhook={edited === 'new' ? undefined : edited} onClose={close} /> : null}
    </Page>
  );
}
