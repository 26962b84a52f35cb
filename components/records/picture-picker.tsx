'use client';

import clsx from 'clsx';
import { Camera } from 'lucide-react';
import { useTranslations } from 'next-intl';
import dynamic from 'next/dynamic';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { limits } from '@/lib/vocabulary/limits';

const CropDialog = dynamic(() => import('./crop-dialog').then((module) => module.CropDialog), { ssr: false });

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/apng'];

/** A chosen picture, `null` when the stored one is to go, undefined when nothing changes. */
export type PickedPicture = File | null | undefined;

interface PicturePickerProps {
  picture: PickedPicture;
  onPick: (picture: PickedPicture) => void;
  /** Address of the picture that is stored. */
  storedUrl?: string;
  /** A person's picture is round, a thing's is not. */
  shape?: 'round' | 'square';
  /** What is shown where there is none. */
  placeholder?: ReactNode;
}

/** A picture, cut to a square and looked at before it is sent. */
export function PicturePicker(props: PicturePickerProps) {
  const { picture, onPick, storedUrl = '', shape = 'round', placeholder = <Camera className="size-4" /> } = props;
  const t = useTranslations('common.picture');
  const id = useId();
  const [problem, setProblem] = useState<'wrongType' | 'tooLarge' | 'unreadable'>();
  const [chosen, setChosen] = useState<File>();
  const chosenUrl = usePreviewUrl(chosen);
  const pickedUrl = usePreviewUrl(picture ?? undefined);
  const shownUrl = picture ? pickedUrl : picture === null ? '' : storedUrl;

  async function take(input: HTMLInputElement) {
    const file = input.files?.[0];
    // The same file can be chosen again after a mistake.
    input.value = '';
    if (!file) return;
    const reason = await findProblem(file);
    setProblem(reason);
    if (!reason) setChosen(file);
  }

  return (
    <div className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className={clsx(
          'border-line-control text-text-3 grid size-[52px] shrink-0 place-items-center overflow-hidden border border-dashed has-[img]:border-solid',
          shape === 'round' ? 'rounded-full' : 'rounded-card',
        )}
      >
        {shownUrl ? (
          <img src={shownUrl} alt="" width={52} height={52} className="size-full object-cover" />
        ) : (
          placeholder
        )}
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <input
            id={id}
            type="file"
            accept={IMAGE_TYPES.join(',')}
            aria-describedby={`${id}-hint`}
            className="peer sr-only"
            onChange={(event) => void take(event.target)}
          />
          <label
            htmlFor={id}
            className="rounded-ctl border-line-strong text-table shadow-control hover:bg-sunken inline-flex h-7 cursor-pointer items-center border px-[9px] font-medium peer-focus-visible:shadow-(--focus-ring)"
          >
            {t('choose')}
          </label>
          {shownUrl && (
            <Button size="sm" variant="ghost" onClick={() => onPick(storedUrl ? null : undefined)}>
              {t('remove')}
            </Button>
          )}
        </div>
        <div id={`${id}-hint`} role="status">
          {problem ? <FieldError>{t(problem)}</FieldError> : <p className="text-small text-text-3 mt-1">{t('hint')}</p>}
        </div>
      </div>
      {chosen && chosenUrl && (
        <CropDialog
          picture={chosen}
          url={chosenUrl}
          onClose={() => setChosen(undefined)}
          onCrop={(cropped) => {
            setChosen(undefined);
            onPick(cropped);
          }}
        />
      )}
    </div>
  );
}

async function findProblem(file: File): Promise<'wrongType' | 'tooLarge' | 'unreadable' | undefined> {
  if (!IMAGE_TYPES.includes(file.type)) return 'wrongType';
  if (file.size > limits.uploadBytes) return 'tooLarge';
  try {
    (await createImageBitmap(file)).close();
    return undefined;
  } catch {
    return 'unreadable';
  }
}

/** An address of the file that shows it; empty until it was read. */
function usePreviewUrl(file: File | undefined): string {
  const [shown, setShown] = useState<{ file: File; url: string }>();
  useEffect(() => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setShown({ file, url: String(reader.result) });
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  return shown && shown.file === file ? shown.url : '';
}
