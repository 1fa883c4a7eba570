/** What is laid out otherwise on a narrow page is coloured as on a wide one: it is looked at in one theme. */
export const WIDTHS = { light: [1280, 390], dark: [1280] };
