'use client';

import { Info } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { FormLayout } from '@/components/records/form-layout';
import { listProblems, wrongFields } from '@/components/records/form-problems';
import { PageHead } from '@/components/records/page-head';
import { SaveBar } from '@/components/records/save-bar';
import { schemaResolver } from '@/components/records/schema-resolver';
import { useTypedForm } from '@/components/records/use-typed-form';
import { useUnsavedGuard } from '@/components/records/use-unsaved-guard';
import { Button } from '@/components/ui/button';
import { ModKbd } from '@/components/ui/mod-kbd';
import { Notice } from '@/components/ui/notice';
import { paths } from '@/lib/paths';
import type { Carried } from './carried-section';
import { useFormSections } from './form-sections';
import { StartChecks } from './start-checks';
import { useCreateWorkspace } from './use-create-workspace';
import { useImagePreset } from './use-image-preset';
import { emptyWorkspace, workspaceSchema, type WorkspaceValues } from './workspace-schema';
import { WorkspaceSections } from './workspace-sections';
import { carriesAddresses, givesSecrets, valuesFrom, type WorkspaceSource } from './workspace-source';

const CarriedSection = dynamic(() => import('./carried-section').then((module) => module.CarriedSection));
const QuotaNote = dynamic(() => import('@/components/records/quota/quota-note').then((module) => module.QuotaNote));
const StartFromTemplate = dynamic(() =>
  import('@/components/records/start-from-template').then((module) => module.StartFromTemplate),
);

interface WorkspaceCreateFormProps {
  isTemplate: boolean;
  /** What it begins with. */
  source: WorkspaceSource | undefined;
  /** One was named that can't be had. */
  hasNoSource: boolean;
}

export function WorkspaceCreateForm({ isTemplate, source, hasNoSource }: WorkspaceCreateFormProps) {
  const t = useTranslations('pages.workspaces');
  const common = useTranslations('common');
  const namedImageId = useSearchParams().get('image') ?? '';
  const form = useTypedForm<WorkspaceValues>({
    shouldFocusError: false,
    resolver: schemaResolver(workspaceSchema),
    defaultValues: source ? valuesFrom(source, isTemplate) : { ...emptyWorkspace, image: namedImageId },
  });
  const [carried, setCarried] = useState(() => carriedOf(source, isTemplate));
  useImagePreset(form, namedImageId, source !== undefined);
  const problems = listProblems(form.formState.errors);
  const { sections, labelOf } = useFormSections();
  const hasCarried = carried.logins.length > 0;
  const { isSubmitting, isDirty } = form.formState;
  const { create, messages, isDone } = useCreateWorkspace(form, { source, carried, isTemplate });
  useUnsavedGuard(isDirty && !isDone);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        title={t(isTemplate ? 'templates.create' : 'create.title')}
        actions={
          <StartFromTemplate
            collection="workspaces"
            host="host"
            label={t('templates.startFrom')}
            searchLabel={t('templates.search')}
            hrefOf={isTemplate ? paths.workspaceTemplateCreate : paths.workspaceFromTemplate}
          />
        }
      />
      <FormLayout
        isNew
        indexLabel={common('form.index')}
        sections={[
          ...sections(wrongFields(problems)),
          ...(hasCarried ? [{ id: 'carried', label: t('carried.title') }] : []),
        ]}
        aside={!isTemplate && <StartChecks form={form} />}
        onSubmit={() => void create(!isTemplate)}
        bar={
          <SaveBar
            problems={problems}
            labelOf={labelOf}
            messages={messages}
            actions={
              <>
                <Button asChild variant="ghost" className="max-sm:hidden">
                  <Link href={isTemplate ? paths.workspaceTemplates : paths.workspaces}>
                    {common('actions.cancel')}
                  </Link>
                </Button>
                {!isTemplate && (
                  <Button isBusy={isSubmitting} onClick={() => void create(false)}>
                    {t('create.later')}
                  </Button>
                )}
                <Button type="submit" variant="primary" data-key-save="" isBusy={isSubmitting}>
                  {t(isTemplate ? 'templates.save' : 'create.start')}
                  <ModKbd letter="↵" isOnAccent />
                </Button>
              </>
            }
          />
        }
      >
        {!isTemplate && <QuotaNote />}
        <SourceNotice source={source} hasNoSource={hasNoSource} />
        <WorkspaceSections form={form} isFollowed={hasCarried} />
        {hasCarried && <CarriedSection carried={carried} onChange={setCarried} />}
      </FormLayout>
    </div>
  );
}

/** Who may log in at the addresses that come over. */
function carriedOf(source: WorkspaceSource | undefined, isTemplate: boolean): Carried {
  return { logins: source && carriesAddresses(source.record, isTemplate) ? source.logins : [] };
}

/** What did not come over, in words. */
function SourceNotice({ source, hasNoSource }: Pick<WorkspaceCreateFormProps, 'source' | 'hasNoSource'>) {
  const t = useTranslations('pages.workspaces.create');
  const secrets = (source?.record.environmentVariables ?? []).filter(({ secret }) => secret).map(({ name }) => name);
  const isLeft = source !== undefined && secrets.length > 0 && !givesSecrets(source.record);
  const isIconLost = source !== undefined && source.record.icon !== '' && !source.icon;
  const words = [
    hasNoSource && t('noSource'),
    isLeft && t('secretsLeft', { names: secrets.join(', ') }),
    isIconLost && t('iconLost'),
  ].filter(Boolean);
  if (words.length === 0) return null;
  return (
    <Notice tone="warn" icon={<Info aria-hidden="true" />} className="mb-4">
      {words.join(' ')}
    </Notice>
  );
}
