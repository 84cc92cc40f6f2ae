import type {
  AlertChannel,
  alertStates,
  executionErrorTypes,
  missingDataPolicies,
  thresholdTypes,
} from '../../contract/alert.ts';

export type ThresholdType = (typeof thresholdTypes)[number];
export type MissingDataPolicy = (typeof missingDataPolicies)[number];
export type AlertStatus = (typeof alertStates)[number];
export type ExecutionErrorType = (typeof executionErrorTypes)[number];

/** An alert as its user configured it; absent fields are unset. */
export interface Alert {
  id: string;
  dashboardId: string;
  tileId: string;
  threshold: number;
  thresholdMax?: number;
  thresholdType: ThresholdType;
  /** Duration text as written: `5m`, `1h`. */
  interval: string;
  /** At least one. */
  channels: AlertChannel[];
  name?: string;
  message?: string;
  note?: string;
  numConsecutiveWindows?: number;
  scheduleOffsetMinutes?: number;
  /** Verbatim, so that clients see no drift; null when a client cleared it explicitly. */
  scheduleStartAt?: string | null;
  missingData?: MissingDataPolicy;
  /** Duration text. */
  repeatInterval?: string;
  createdAt: string;
  updatedAt: string;
}

export interface ExecutionError {
  timestamp: string;
  type: ExecutionErrorType;
  message: string;
}

/** An alert with what the evaluator found out. */
export interface StoredAlert {
  alert: Alert;
  status: AlertStatus;
  /** Absent until the first evaluation, `[]` after a clean one. */
  executionErrors?: ExecutionError[];
}
