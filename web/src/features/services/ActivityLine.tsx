import { sparkline } from '../dashboards/sparkline.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import classes from './Services.module.css';
import { type Activity, activityText } from './service-activity.ts';

/** Requests over the range as an area, and the failed ones of them in red, on one scale. */
export function ActivityLine({ activity, range }: { activity: Activity; range: ResolvedRange }) {
  const requests = sparkline(activity.requests, range);
  const high = Math.max(0, ...activity.requests.map(([, value]) => value ?? 0));
  const errors = sparkline(activity.errors, { ...range, high });
  return (
    <svg className={classes.activity} viewBox="0 0 100 100" preserveAspectRatio="none" role="img">
      <title>{activityText(activity)}</title>
      <path d={requests.area} className={classes.requestsArea} />
      <path d={requests.line} className={classes.requestsLine} vectorEffect="non-scaling-stroke" />
      <path d={errors.area} className={classes.errorsArea} />
    </svg>
  );
}
