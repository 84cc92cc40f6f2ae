import { Page } from '../ui/Page.tsx';

export function AlertListPage() {
  return <Page title="AlertList">{null}</Page>;
}
