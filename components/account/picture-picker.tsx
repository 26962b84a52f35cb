'use client';

import { Camera } from 'lucide-react';
import { useTranslations } from 'next-intl';
import Image from 'next/image';
import { useEffect, useId, useState } from 'react';
import { FieldError } from '@/components/ui/field';
import { limits } from '@/lib/domain/limits';
import { IMAGE_TYPES } from './password-rules';

interface PicturePickerProps {
  picture: File | undefined;
  onPick: (picture: File | undefined) => void;
}

/** A picture of the user, looked at before it is sent. */
export function PicturePicker({ picture, onPick }: PicturePickerProps) {
  const t = useTranslations('common.picture');
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [preview, setPreview] = useState<string>();
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  function take(file: File | undefined) {
    if (!file) return;
    const reason = !IMAGE_TYPES.includes(file.type)
      ? t('wrongType')
      : file.size > limits.uploadBytes
        ? t('tooLarge')
        : undefined;
    setProblem(reason);
    onPick(reason ? undefined : file);
    setPreview(reason ? undefined : URL.createObjectURL(file));
  }

  return (
    <div className="flex items-center gap-3">
      <span
        aria-hidden="true"
        className="border-line-control text-text-3 grid size-[52px] shrink-0 place-items-center overflow-hidden rounded-full border border-dashed"
      >
        {picture && preview ? (
          <Image unoptimized src={preview} alt="" width={52} height={52} className="size-full object-cover" />
        ) : (
          <Camera className="size-4" />
        )}
      </span>
      <div className="min-w-0">
        <input
          id={id}
          type="file"
          accept={IMAGE_TYPES.join(',')}
          aria-describedby={`${id}-hint`}
          className="peer sr-only"
          onChange={(event) => take(event.target.files?.[0])}
        />
        <label
          htmlFor={id}
          className="rounded-ctl border-line-strong text-table shadow-control hover:bg-sunken inline-flex h-7 cursor-pointer items-center border px-[9px] font-medium peer-focus-visible:shadow-(--focus-ring)"
        >
          {t('choose')}
        </label>
        <div id={`${id}-hint`}>
          {problem ? <FieldError>{problem}</FieldError> : <p className="text-small text-text-3 mt-1">{t('hint')}</p>}
        </div>
      </div>
    </div>
  );
}
