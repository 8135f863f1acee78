/** Side of the square RGB image the graph takes; the caller stretches the image to it, whatever its aspect ratio. */
export const DESCRIPTOR_INPUT_PX = 128;
/** Length of the descriptor; a multiple of eight keeps vector kernels on their fast path. */
export const DESCRIPTOR_DIM = 488;
export const DESCRIPTOR_INPUT_NAME = 'pixels';
export const DESCRIPTOR_OUTPUT_NAME = 'descriptor';
/** Changes when the same image gives another vector, so that vectors of different versions are never compared. */
export const DESCRIPTOR_ID = 'visual-descriptor-1';

/** Meaning of the values, in this order: gradient histograms (orientation, row, column), */
export const HOG_CELLS = 7;
export const HOG_BINS = 6;
/** low frequencies (down, across; without the constant one), */
export const DCT_SIDE = 12;
/** colours (channel, row, column), */
export const COLOUR_CHANNELS = 3;
export const COLOUR_CELLS = 4;
/** and a constant tail. */
export const TAIL_VALUES = 3;
