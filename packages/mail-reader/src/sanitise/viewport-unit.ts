/**
 * The custom property that stands for a hundredth of the window's height. A frame that grows with its message sets it:
 * else what is as high as the frame would make the frame grow for ever.
 */
export const viewportUnit = '--window-hundredth';
