"""What is in pictures: where the box is that stands before the robot, the only thing in the room that is green.

pictures.py < JPEG    prints it, for programs whose Python has no Pillow
"""

import functools
import io
import statistics
import sys

from cells_around import GREEN
from PIL import Image

# Pictures are looked at in this size.
WIDTH, HEIGHT = 160, 120
# Fewer pixels than these are noise.
LEAST = 20


def column(image):
    """The middle of the box in a picture, 0 at the left edge and 1 at the right one; none if it is not in view."""
    pixels = image.convert("RGB").resize((WIDTH, HEIGHT)).getdata()
    green = [number % WIDTH for number, (r, g, b) in enumerate(pixels) if g > GREEN * r and g > GREEN * b]
    return (statistics.fmean(green) + 0.5) / WIDTH if len(green) >= LEAST else None


@functools.lru_cache(100)
def of_jpeg(data):
    return column(Image.open(io.BytesIO(data)))


@functools.lru_cache(100)
def of_h264(data):
    """Of a picture that needs none before it."""
    import av

    decoder = av.CodecContext.create("h264", "r")
    pictures = [picture for packet in [*decoder.parse(data), *decoder.parse(b"")] for picture in decoder.decode(packet)]
    pictures += decoder.decode(None)
    return column(pictures[0].to_image()) if pictures else None


@functools.lru_cache(10)
def pixels(png):
    """The numbers of a picture's pixels, of a palette or grey."""
    image = Image.open(io.BytesIO(png))
    return image.size, list(image.getdata())


if __name__ == "__main__":
    print(of_jpeg(sys.stdin.buffer.read()))
