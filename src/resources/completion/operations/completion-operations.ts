import type { Operation, SchemaCheck } from '../../../http/operation.ts';
import type { CompletionService } from '../completion-service.ts';
import type { FacetService } from '../facet-service.ts';
import type { SourceCheckService } from '../source-check-service.ts';
import { checkSource } from './check-source.ts';
import { countFacets } from './count-facets.ts';
import { listSourceFields } from './list-source-fields.ts';
import { listSourceMetrics } from './list-source-metrics.ts';
import { listSourceValues } from './list-source-values.ts';

export interface CompletionDeps {
  completions: CompletionService;
  facets: FacetService;
  checks: SourceCheckService;
  /** Validates a source by its schema. */
  checkInput: SchemaCheck;
}

/** What editors and the search page ask about a source. */
export function completionOperations({ completions, facets, checks, checkInput }: CompletionDeps): Operation[] {
  return [
    checkSource(checks, checkInput),
    listSourceFields(completions),
    listSourceValues(completions),
    listSourceMetrics(completions),
    countFacets(facets),
  ];
}
