import { Page } from '../ui/Page.tsx';

export function OrganizationListPage() {
  return <Page title="OrganizationList">{null}</Page>;
}
