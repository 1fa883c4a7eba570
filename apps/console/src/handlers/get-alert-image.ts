import { CasefileError, IMAGE_TYPES, z } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getAlertImageInput = {
  params: z.object({ caseId: z.string().max(100), alertId: z.string().max(100) }),
};

/** Whatever the bytes are, a browser shows an image or nothing: it may not run, frame or guess them. */
const NOTHING_BUT_AN_IMAGE = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** The image of an alert, as it was received. */
export const getAlertImage: Handler<typeof getAlertImageInput> = async (
  { store },
  { params: { caseId, alertId } },
  { response },
) => {
  const image = await store.record.alertImage(caseId, alertId);
  if (image === null) throw new CasefileError('not_found', 'no alert of this case with this id has an image');
  const isKnown = (IMAGE_TYPES as readonly string[]).includes(image.mediaType);
  response.setHeader('Content-Type', isKnown ? image.mediaType : 'application/octet-stream');
  response.setHeader('Content-Security-Policy', NOTHING_BUT_AN_IMAGE);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Never another one under this address.
  response.setHeader('Cache-Control', 'private, max-age=3600, immutable');
  response.end(Buffer.from(image.base64, 'base64'));
};
