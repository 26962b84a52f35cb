'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { cropPicture } from './crop-picture';

interface CropDialogProps {
  picture: File;
  /** An address of the picture in this browser. */
  url: string;
  onCrop: (picture: File) => void;
  onClose: () => void;
}

/** Lets a square be cut out of a picture, by pointer, touch or keys. */
export function CropDialog({ picture, url, onCrop, onClose }: CropDialogProps) {
  const t = useTranslations('common.picture');
  const common = useTranslations('common');
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area>();
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function use() {
    if (!area) return;
    setBusy(true);
    try {
      onCrop(await cropPicture(picture, area));
    } catch {
      setFailed(true);
      setBusy(false);
    }
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('cropTitle')}
      description={t('cropText')}
      closeLabel={common('actions.close')}
      actions={
        <>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button variant="primary" disabled={!area} isBusy={isBusy} onClick={() => void use()}>
            {t('use')}
          </Button>
        </>
      }
    >
      <div className="bg-sunken relative mb-3.5 h-72 overflow-hidden rounded-md">
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          keyboardStep={8}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setArea(pixels)}
          cropperProps={{ role: 'group', 'aria-label': t('area') }}
          mediaProps={{ alt: '' }}
        />
      </div>
      <Field label={t('zoom')}>
        {(control) => (
          <input
            {...control}
            type="range"
            min={1}
            max={3}
            step={0.05}
            value={zoom}
            onChange={(event) => setZoom(Number(event.target.value))}
            className="accent-accent h-6 w-full rounded-sm"
          />
        )}
      </Field>
      <div role="alert">{hasFailed && <FieldError>{t('unreadable')}</FieldError>}</div>
    </Dialog>
  );
}
