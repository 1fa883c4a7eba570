import { readFileSync } from 'node:fs';
import { briefSchema, type Entities } from '@casefile/contracts';
import { inlineWorld, type World } from '../../testing/world.js';

const KINDS = ['scam-verdict', 'message-screening'] as const;
type Kind = (typeof KINDS)[number];

/** One image as it came from the field; a field that is left out is not checked. */
interface FieldImage {
  file: string;
  right: string;
  entities?: Entities;
  isHarmless?: boolean;
  /** The record reports that the image could not be read well. */
  isUnreadable?: boolean;
  /** Default: both kinds. Each costs a reading. */
  kind?: Kind;
}

const PARCEL: Entities = {
  phone: ['+447700900142'],
  url: ['https://swiftpost-redelivery.example/pay'],
  domain: ['swiftpost-redelivery.example'],
};
const IMAGES: FieldImage[] = [
  { file: 'link-over-two-lines.png', right: 'one link, one number', entities: PARCEL },
  { file: 'android-photo-portrait.jpg', right: 'read upright', entities: PARCEL, kind: 'scam-verdict' },
  {
    file: 'phone-over-two-lines.png',
    right: 'one number',
    entities: { phone: ['+447700900142'] },
    kind: 'message-screening',
  },
  {
    file: 'table-of-amounts.png',
    right: 'no phone number',
    entities: {},
    isHarmless: true,
    kind: 'scam-verdict',
  },
  { file: 'chinese-prize.png', right: 'its script was not read', isUnreadable: true },
  { file: 'korean-bank.png', right: 'its script was not read', isUnreadable: true },
  { file: 'text-on-wallpaper.png', right: 'not read well', isUnreadable: true },
  {
    file: 'prize-on-colours.png',
    right: 'letters on a gradient are read',
    kind: 'message-screening',
    entities: {
      phone: ['+919000012345'],
      url: ['http://www.lucky-draw-claim.example/'],
      domain: ['lucky-draw-claim.example'],
      payment: ['luckydraw.claim@okbank'],
    },
  },
];

describe('S1-01 S1-02 images from the field', () => {
  let world: World;
  beforeAll(async () => void (world = await inlineWorld(null)));
  afterAll(() => world.close());

  const cases = IMAGES.flatMap((image) =>
    KINDS.filter((kind) => (image.kind ?? kind) === kind).map(
      (kind) => [image.file, kind, image.right, image] as const,
    ),
  );
  it.each(cases)('%s, %s: %s', async (file, playbook, _right, expected) => {
    const base64 = readFileSync(new URL(`../images/${file}`, import.meta.url)).toString('base64');
    const mediaType = file.endsWith('.jpg') ? 'image/jpeg' : 'image/png';
    const { caseId } = await world.accept({ playbook, image: { mediaType, base64 } });
    const { verdict, artifacts } = (await world.ended(caseId)).runs[0]!;
    const brief = briefSchema.parse(artifacts.find(({ artifact }) => artifact === 'brief')?.body);
    expect(verdict?.disposition === 'dismiss').toBe(expected.isHarmless === true);
    if (expected.entities !== undefined) expect(brief.entities).toEqual(expected.entities);
    if (expected.isUnreadable === true) {
      expect(verdict?.degradedBy).toContain('unreadable');
      expect(brief.image?.unread).not.toEqual([]);
    }
  });
});
