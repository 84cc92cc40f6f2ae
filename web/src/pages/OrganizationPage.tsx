import { Page } from '../ui/Page.tsx';

export function OrganizationPage() {
  return <Page title="Organization">{null}</Page>;
}
