import { Page } from '../ui/Page.tsx';

export function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}
