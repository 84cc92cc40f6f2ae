import { Page } from '../ui/Page.tsx';

export function DashboardPage() {
  return <Page title="Dashboard">{null}</Page>;
}
