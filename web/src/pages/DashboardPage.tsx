import { useParams } from '@tanstack/react-router';
import { DashboardView } from '../features/dashboards/DashboardView.tsx';

/** One dashboard over the time range of the address. */
export function DashboardPage() {
  const { dashboardId = '' } = useParams({ strict: false });
  return <DashboardView key={dashboardId} dashboardId={dashboardId} />;
}
