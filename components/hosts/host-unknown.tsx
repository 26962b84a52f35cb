'use client';

import { schemaResolver } from '@/components/records/schema-resolver';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Box, Layers, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ready } from '@/components/data/client';
import type { HostRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Age } from '@/components/records/age';
import { FormField } from '@/components/records/form-field';
import type { RecordChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { Row, Rows } from '@/components/ui/rows';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { limits } from '@/lib/vocabulary/limits';

/** A container that carries the marks of this console and that no record is about. */
interface UnknownContainer {
  id: string;
  name: string;
  isRunning: boolean;
  since: string;
}

const REFRESH_MS = 15_000;
const unknownKey = (hostId: string) => ['host-unknown', hostId];
const callOf = (hostId: string, path = '') => `/api/host/${hostId}/unknown${path}`;

/** What a host runs that a restored console does not know, for admins to adopt or to remove; nothing where there is none. */
export function HostUnknown({ host }: { host: HostRecord }) {
  const t = useTranslations('pages.hosts.unknown');
  const { data } = useQuery({
    queryKey: unknownKey(host.id),
    queryFn: async () => (await ready()).send<{ items: UnknownContainer[] }>(callOf(host.id), {}),
    refetchInterval: REFRESH_MS,
  });
  const [adopted, setAdopted] = useState<UnknownContainer>();
  const [removed, setRemoved] = useState<UnknownContainer>();
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <section className="grid gap-2.5 px-6 pt-4 pb-5 max-lg:px-4" aria-label={t('title')}>
      <Notice tone="warn" icon={<TriangleAlert />}>
        {t('text', { count: items.length })}
      </Notice>
      <Rows label={t('title')}>
        {items.map((item) => (
          <Row
            key={item.id}
            icon={<Box />}
            name={<span className="mono">{item.name}</span>}
            detail={
              <>
                <span>{t(item.isRunning ? 'running' : 'stopped')}</span>
                <span>{t.rich('since', { age: () => <Age at={item.since} /> })}</span>
              </>
            }
            actions={
              <>
                <Button size="sm" aria-label={t('adoptOf', { name: item.name })} onClick={() => setAdopted(item)}>
                  {t('adopt')}
                </Button>
                <Button size="sm" aria-label={t('removeOf', { name: item.name })} onClick={() => setRemoved(item)}>
                  {t('remove')}
                </Button>
              </>
            }
          />
        ))}
      </Rows>
      {adopted && <Adopt host={host} container={adopted} onClose={() => setAdopted(undefined)} />}
      {removed && <Remove host={host} container={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  );
}

interface ActProps {
  host: HostRecord;
  container: UnknownContainer;
  onClose: () => void;
}

const adoptSchema = z.object({
  name: z.string().trim().min(1, 'required').max(limits.nameLength),
  image: z.string().min(1, 'required'),
});

/** Those that lie on the host come first. */
function imagesFor(hostId: string): RecordChoices<'images'> {
  return {
    collection: 'images',
    searchFields: ['name', 'repository', 'dockerImageName'],
    filter: 'template = false',
    firstFilter: `build_on = '${hostId}'`,
    toOption: (image) => ({
      value: image.id,
      text: image.name,
      label: <span className="mono">{imageReference(image)}</span>,
    }),
  };
}

function Adopt({ host, container, onClose }: ActProps) {
  const t = useTranslations('pages.hosts.unknown');
  const common = useTranslations('common.actions');
  const tell = useTell();
  const queries = useQueryClient();
  const form = useForm({ resolver: schemaResolver(adoptSchema), defaultValues: { name: '', image: '' } });
  const adopt = form.handleSubmit(async (values) => {
    try {
      await (await ready()).send(callOf(host.id, `/${container.id}/adopt`), { method: 'POST', body: values });
      tell.done(t('adopted', { name: values.name }));
      onClose();
    } catch (error) {
      tell.failed(t('adoptFailed'), error);
    }
    await queries.invalidateQueries({ queryKey: unknownKey(host.id) });
  });
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('adoptOf', { name: container.name })}
      closeLabel={common('close')}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" data-key-save="" isBusy={form.formState.isSubmitting} onClick={() => void adopt()}>
            {t('adopt')}
          </Button>
        </>
      }
    >
      <div className="grid gap-3.5">
        <p className="text-table">{t('adoptText')}</p>
        <FormField form={form} name="name" label={t('name')}>
          {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
        </FormField>
        <RecordField
          form={form}
          name="image"
          choices={imagesFor(host.id)}
          label={t('image')}
          icon={<Layers className="text-text-3 size-4" aria-hidden="true" />}
          placeholder={t('pickImage')}
          searchLabel={t('searchImages')}
        />
      </div>
    </Dialog>
  );
}

function Remove({ host, container, onClose }: ActProps) {
  const t = useTranslations('pages.hosts.unknown');
  const tell = useTell();
  const queries = useQueryClient();
  async function remove() {
    try {
      await (await ready()).send(callOf(host.id, `/${container.id}/remove`), { method: 'POST' });
      tell.done(t('removed', { name: container.name }));
    } catch (error) {
      tell.failed(t('removeFailed'), error);
    }
    await queries.invalidateQueries({ queryKey: unknownKey(host.id) });
  }
  return (
    <ConfirmDialog
      title={t('removeOf', { name: container.name })}
      text={t('removeText')}
      confirmLabel={t('remove')}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
