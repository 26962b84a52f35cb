'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { PageHead } from '@/components/records/page-head';
import { SourceLoading } from '@/components/records/source-loading';
import { useTab } from '@/components/records/use-tab';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { paths } from '@/lib/paths';
import { ImageCreateForm } from './image-create-form';
import { useImageSource, type ImageSource } from './image-source';

const StartFromTemplate = dynamic(() =>
  import('@/components/records/start-from-template').then((module) => module.StartFromTemplate),
);

const TABS = ['generate', 'write', 'pull'] as const;
const types = { write: 'writeDockerfile', generate: 'generateDockerfile', pull: 'pullAnImage' } as const;

interface ImageCreateProps {
  isTemplate?: boolean;
}

/** A new image or template, empty or like the one that the address names. */
export function ImageCreate({ isTemplate = false }: ImageCreateProps) {
  const t = useTranslations('pages.images');
  const id = useSearchParams().get('templateId') ?? '';
  const source = useImageSource(id);
  const title = t(isTemplate ? 'templates.create' : 'create.title');
  if (id !== '' && source.isPending) return <SourceLoading title={title} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        title={title}
        actions={
          <StartFromTemplate
            collection="images"
            host="build_on"
            searchLabel={t('templates.search')}
            label={t('templates.startFrom')}
            hrefOf={isTemplate ? paths.imageTemplateCreate : paths.imageFromTemplate}
          />
        }
      />
      <ImageTabs key={id} isTemplate={isTemplate} source={source.data} hasNoSource={source.isError} />
    </div>
  );
}

interface ImageTabsProps {
  isTemplate: boolean;
  source: ImageSource | undefined;
  hasNoSource: boolean;
}

/** A form for each way to make an image; what the address names is in the form of its own way. */
function ImageTabs({ isTemplate, source, hasNoSource }: ImageTabsProps) {
  const t = useTranslations('pages.images.create');
  const first = TABS.find((each) => types[each] === source?.record.creationType) ?? TABS[0];
  const [tab, setTab] = useTab([first, ...TABS.filter((each) => each !== first)], ['templateId']);
  return (
    <Tabs
      className="flex min-h-0 flex-1 flex-col"
      label={t('title')}
      value={tab}
      onValueChange={setTab}
      tabs={TABS.map((each) => ({ value: each, label: t(each) }))}
    >
      {TABS.map((each) => (
        <TabPanel key={each} value={each} className="flex min-h-0 flex-1 flex-col pt-3 data-[state=inactive]:hidden">
          <ImageCreateForm
            type={types[each]}
            isTemplate={isTemplate}
            source={types[each] === source?.record.creationType ? source : undefined}
            hasNoSource={hasNoSource}
          />
        </TabPanel>
      ))}
    </Tabs>
  );
}
