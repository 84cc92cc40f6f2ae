import { Page } from '../ui/Page.tsx';

export function AlertPage() {
  return <Page title="Alert">{null}</Page>;
}
