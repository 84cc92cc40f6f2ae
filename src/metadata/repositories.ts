import type { IdentityRepository } from '../access/identity-repository.ts';
import type { SealStore } from '../access/seal-check.ts';
import type { SealedTexts } from '../access/sealed-texts.ts';
import type { FarAlerts } from '../evaluator/clock-set-back.ts';
import type { BulkEvaluationStore, EvaluationStore } from '../evaluator/evaluation-store.ts';
import type { AlertLeases, BulkAlertLeases } from '../evaluator/lease.ts';
import type { TileNames } from '../evaluator/ports.ts';
import type { OldRecords } from '../evaluator/record-pruner.ts';
import type { Outbox } from '../notify/outbox.ts';
import type { PipeLeases } from '../pipes/pipe-leases.ts';
import type { PipeLedger } from '../pipes/pipe-ledger.ts';
import type { AlertLog } from '../resources/alerts/alert-log.ts';
import type { AlertRepository } from '../resources/alerts/alert-repository.ts';
import type { ConnectionRepository } from '../resources/connections/connection-repository.ts';
import type { DashboardRepository } from '../resources/dashboards/dashboard-repository.ts';
import type { FavouriteRepository } from '../resources/dashboards/favourite-repository.ts';
import type { PipeRepository } from '../resources/pipes/pipe-repository.ts';
import type { PipeRuns } from '../resources/pipes/pipe-runs.ts';
import type { SavedSearchRepository } from '../resources/saved-searches/saved-search-repository.ts';
import type { SilenceRepository } from '../resources/silences/silence-repository.ts';
import type { SourceRepository } from '../resources/sources/source-repository.ts';
import type { WebhookRepository } from '../resources/webhooks/webhook-repository.ts';
import { SqlEvaluationStore } from './alert-evaluation-store.ts';
import { SqlAlertLog } from './alert-log.ts';
import { SqlAlertRepository } from './alert-repository.ts';
import { SqlTileNames } from './alert-tile-names.ts';
import { SqlConnectionRepository } from './connection-repository.ts';
import { SqlDashboardRepository } from './dashboard-repository.ts';
import { SqlFarAlerts } from './far-alerts.ts';
import { SqlFavouriteRepository } from './favourite-repository.ts';
import { SqlIdentityRepository } from './identity-repository.ts';
import { SqlAlertLeases } from './lease-store.ts';
import type { MetadataDatabase } from './metadata-database.ts';
import { SqlOldDashboardVersions, SqlOldDeletedDashboards } from './old-dashboards.ts';
import { SqlOldRecords } from './old-records.ts';
import { SqlOutbox } from './outbox-store.ts';
import { SqlPipeLeases } from './pipe-lease-store.ts';
import { SqlPipeLedger } from './pipe-ledger-store.ts';
import { SqlPipeRepository } from './pipe-repository.ts';
import { SqlPipeRuns } from './pipe-run-repository.ts';
import { SqlSavedSearchRepository } from './saved-search-repository.ts';
import { SqlSealedTexts } from './sealed-texts.ts';
import { SqlSecretKeySeal } from './secret-key-seal.ts';
import { SqlSilenceRepository } from './silence-repository.ts';
import { SqlSourceRepository } from './source-repository.ts';
import { SqlWebhookRepository } from './webhook-repository.ts';

/** Every port that the metadata store implements. */
export interface Repositories {
  readonly identities: IdentityRepository;
  readonly dashboards: DashboardRepository;
  readonly favourites: FavouriteRepository;
  readonly connections: ConnectionRepository;
  readonly sources: SourceRepository;
  readonly webhooks: WebhookRepository;
  readonly pipes: PipeRepository;
  readonly pipeRuns: PipeRuns;
  readonly pipeLeases: PipeLeases;
  readonly pipeLedger: PipeLedger;
  readonly savedSearches: SavedSearchRepository;
  readonly silences: SilenceRepository;
  readonly alerts: AlertRepository;
  readonly alertLog: AlertLog;
  readonly alertLeases: AlertLeases & BulkAlertLeases;
  readonly farAlerts: FarAlerts;
  readonly evaluations: EvaluationStore & BulkEvaluationStore;
  readonly tileNames: TileNames;
  readonly outbox: Outbox;
  readonly oldRecords: OldRecords;
  readonly oldDeletedDashboards: OldRecords;
  readonly oldDashboardVersions: OldRecords;
  readonly secretKeySeal: SealStore;
  readonly sealedTexts: SealedTexts;
}

export function repositoriesOver(database: MetadataDatabase): Repositories {
  return {
    identities: new SqlIdentityRepository(database),
    dashboards: new SqlDashboardRepository(database),
    favourites: new SqlFavouriteRepository(database),
    connections: new SqlConnectionRepository(database),
    sources: new SqlSourceRepository(database),
    webhooks: new SqlWebhookRepository(database),
    pipes: new SqlPipeRepository(database),
    pipeRuns: new SqlPipeRuns(database),
    pipeLeases: new SqlPipeLeases(database),
    pipeLedger: new SqlPipeLedger(database),
    savedSearches: new SqlSavedSearchRepository(database),
    silences: new SqlSilenceRepository(database),
    alerts: new SqlAlertRepository(database),
    alertLog: new SqlAlertLog(database),
    alertLeases: new SqlAlertLeases(database),
    farAlerts: new SqlFarAlerts(database),
    evaluations: new SqlEvaluationStore(database),
    tileNames: new SqlTileNames(database),
    outbox: new SqlOutbox(database),
    oldRecords: new SqlOldRecords(database),
    oldDeletedDashboards: new SqlOldDeletedDashboards(database),
    oldDashboardVersions: new SqlOldDashboardVersions(database),
    secretKeySeal: new SqlSecretKeySeal(database),
    sealedTexts: new SqlSealedTexts(database),
  };
}
