import { useTranslations } from 'next-intl';
import { PageHead } from '@/components/records/page-head';
import { answerOf, bodyOf, callsByTag, typeOf, type Call, type OpenApi, type Schema } from './openapi';

/** Every call of the API, from the same description that scripts read at /api/openapi.json. */
export function ApiReference({ document }: { document: object }) {
  const t = useTranslations('pages.reference');
  const api = document as OpenApi;
  const groups = callsByTag(api);
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto">
      <PageHead
        title={t('title')}
        actions={
          <a className="text-accent-text text-table hover:underline" href="/api/openapi.json">
            {t('download')}
          </a>
        }
      />
      <p className="text-table text-text-2 max-w-[720px] px-6 pb-4 max-lg:px-4">{t('text')}</p>
      <div className="flex gap-10 px-6 pb-10 max-lg:px-4">
        <nav aria-label={t('areas')} className="sticky top-0 w-44 shrink-0 self-start max-lg:hidden">
          <ul className="text-table">
            {groups.map(([tag]) => (
              <li key={tag}>
                <a className="text-text-2 hover:text-text block py-1" href={`#${tag}`}>
                  {tag}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="min-w-0 flex-1">
          {groups.map(([tag, calls]) => (
            <section key={tag} id={tag} aria-label={tag} className="mb-8">
              <h2 className="text-base font-semibold">{tag}</h2>
              <div className="border-line mt-2 border-t">
                {calls.map((call) => (
                  <CallRow key={`${call.method} ${call.path}`} api={api} call={call} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}

function CallRow({ api, call: { method, path, operation } }: { api: OpenApi; call: Call }) {
  const t = useTranslations('pages.reference');
  const body = bodyOf(api, operation);
  const parameters = (operation.parameters ?? []).map(({ name, description, schema }): [string, Schema] => [
    name,
    { ...schema, ...(description && { description }) },
  ]);
  return (
    <details className="border-line border-b">
      <summary className="text-table flex cursor-pointer flex-wrap items-baseline gap-x-3 py-2">
        <span className="mono text-accent-text w-14 uppercase">{method}</span>
        <span className="mono min-w-0 break-all">{path}</span>
        <span className="text-text-3">{operation.summary ?? operation.operationId?.split('_')[0]}</span>
      </summary>
      <div className="pb-3 pl-[68px] max-lg:pl-0">
        <Fields title={t('parameters')} fields={parameters} required={[]} />
        <Fields title={t('body')} fields={Object.entries(body?.properties ?? {})} required={body?.required ?? []} />
        <Fields
          title={t('answers')}
          fields={Object.entries(operation.responses ?? {}).map(([status, answer]): [string, Schema] => [
            status,
            { description: answerOf(answer) },
          ])}
          required={[]}
        />
      </div>
    </details>
  );
}

function Fields({ title, fields, required }: { title: string; fields: [string, Schema][]; required: string[] }) {
  const t = useTranslations('pages.reference');
  if (fields.length === 0) return null;
  return (
    <>
      <h3 className="text-small text-text-3 pt-2 pb-1 font-medium">{title}</h3>
      <dl className="text-table grid grid-cols-[minmax(120px,220px)_1fr] gap-x-4 gap-y-1">
        {fields.map(([name, schema]) => (
          <div key={name} className="contents">
            <dt className="mono break-all">{name}</dt>
            <dd className="text-text-2">
              {schema.description ?? typeOf(schema)}
              {required.includes(name) && <span className="text-text-3"> · {t('required')}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
