import { Button, Modal, Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { CreateDashboard } from '../../../../src/contract/dashboard.ts';
import {
  type DashboardTemplate,
  dashboardOf,
  dashboardTemplates,
  type TemplateSources,
} from '../../../../src/contract/dashboard-templates.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useSources } from '../where-editor/source-queries.ts';
import classes from './TemplateDialog.module.css';

export interface TemplateDialogProps {
  isSaving: boolean;
  onCreate: (body: CreateDashboard) => void;
  onClose: () => void;
}

const kindTexts = { log: 'Logs from', trace: 'Spans from', metric: 'Metrics from' };
const contents = { log: 'logs', trace: 'spans', metric: 'metrics' };

/** Begins a dashboard with the tiles of a template. */
export function TemplateDialog({ isSaving, onCreate, onClose }: TemplateDialogProps) {
  const [template, setTemplate] = useState<DashboardTemplate>();
  return (
    <Modal opened onClose={onClose} title={template ? template.name : 'New dashboard from a template'} size="md">
      {template ? (
        <Sources template={template} isSaving={isSaving} onCreate={onCreate} onBack={() => setTemplate(undefined)} />
      ) : (
        <Stack gap={8}>
          {dashboardTemplates.map((each) => (
            <UnstyledButton key={each.id} className={classes.template ?? ''} onClick={() => setTemplate(each)}>
              <Text size="sm" fw={600}>
                {each.name}
              </Text>
              <Text size="xs" c="var(--sb-muted)">
                {each.description}
              </Text>
            </UnstyledButton>
          ))}
        </Stack>
      )}
    </Modal>
  );
}

interface SourcesProps {
  template: DashboardTemplate;
  isSaving: boolean;
  onCreate: (body: CreateDashboard) => void;
  onBack: () => void;
}

function Sources({ template, isSaving, onCreate, onBack }: SourcesProps) {
  const sources = useSources().filter(({ disabled }) => !disabled);
  const [chosen, setChosen] = useState<TemplateSources>({});
  const idOf = (kind: keyof TemplateSources) => chosen[kind] ?? sources.find((each) => each.kind === kind)?.id;
  const ids: TemplateSources = {};
  for (const kind of template.needs) {
    const id = idOf(kind);
    if (id !== undefined) ids[kind] = id;
  }
  const missing = template.needs.find((kind) => ids[kind] === undefined);
  return (
    <Stack gap={12}>
      <Text size="sm">{template.description}</Text>
      {template.needs.map((kind) => (
        <Select
          key={kind}
          label={kindTexts[kind]}
          allowDeselect={false}
          value={idOf(kind) ?? null}
          data={sources.filter((each) => each.kind === kind).map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(id) => setChosen({ ...chosen, ...(id && { [kind]: id }) })}
        />
      ))}
      <Stack gap={8}>
        <ReasonedButton
          loading={isSaving}
          reason={missing && `There is no source of ${contents[missing]}. Add one under Sources.`}
          onClick={() => onCreate(dashboardOf(template, ids))}
        >
          Create dashboard
        </ReasonedButton>
        <Button variant="default" onClick={onBack}>
          Other templates
        </Button>
      </Stack>
    </Stack>
  );
}
