import { Page } from '../ui/Page.tsx';

export function DashboardListPage() {
  return <Page title="DashboardList">{null}</Page>;
}
