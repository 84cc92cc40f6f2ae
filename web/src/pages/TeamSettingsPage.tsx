import { Page } from '../ui/Page.tsx';

export function TeamSettingsPage() {
  return <Page title="TeamSettings">{null}</Page>;
}
