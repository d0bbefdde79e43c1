/* The arithmetic of a net in floating point: values, slopes, steps of Adam. training/compiled.py compiles it with the shape
 * as constants: W numbers a state, U units, V units of the second layer (0: none), F columns of a position.
 *
 *     x = clip(bias + sum of the rows of the columns)     z = x, then x[k] * x[k + W / 2]
 *     u = clip(z * layer + layer_bias)                    v = clip(u * second + second_bias)
 *     value = z * linear + u * out + v * second_out + constant
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define Z (W + W / 2)
#define CLIP 8.0f
#define MOST 31.999f /* of a unit, as in the kernel */
#define V1 (V ? V : 1)

typedef struct { /* the numbers of a net, or the slopes along them */
    float *table, *bias, *linear, *constant, *layer, *layer_bias, *out, *second, *second_bias, *second_out;
} net_t;

typedef struct {
    float x[W], z[Z], u[U], v[V1];
} state_t;

static float forward(const net_t *net, const int32_t *columns, int s, state_t *t) {
    const float *layer = net->layer + (size_t)s * Z * U, *linear = net->linear + (size_t)s * Z;
    float value = net->constant[s], x[W], u[U];
    memcpy(x, net->bias, sizeof x);
    for (int f = 0; f < F; f++) {
        const float *row = net->table + (size_t)columns[f] * W;
        for (int k = 0; k < W; k++) x[k] += row[k];
    }
    memcpy(t->x, x, sizeof x);
    for (int k = 0; k < W; k++) t->z[k] = x[k] > CLIP ? CLIP : x[k] < -CLIP ? -CLIP : x[k];
    for (int k = 0; k < W / 2; k++) t->z[W + k] = t->z[k] * t->z[k + W / 2];
    for (int j = 0; j < U; j++) u[j] = net->layer_bias[s * U + j];
    for (int i = 0; i < Z; i++) {
        float z = t->z[i];
        for (int j = 0; j < U; j++) u[j] += z * layer[i * U + j];
    }
    for (int i = 0; i < Z; i++) value += t->z[i] * linear[i];
    for (int j = 0; j < U; j++) {
        t->u[j] = u[j] > MOST ? MOST : u[j] > 0 ? u[j] : 0;
        value += t->u[j] * net->out[s * U + j];
    }
#if V
    const float *second = net->second + (size_t)s * U * V;
    float v[V];
    for (int j = 0; j < V; j++) v[j] = net->second_bias[s * V + j];
    for (int i = 0; i < U; i++) {
        float a = t->u[i];
        for (int j = 0; j < V; j++) v[j] += a * second[i * V + j];
    }
    for (int j = 0; j < V; j++) {
        t->v[j] = v[j] > MOST ? MOST : v[j] > 0 ? v[j] : 0;
        value += t->v[j] * net->second_out[s * V + j];
    }
#endif
    return value;
}

void values(const net_t *net, int n, const int32_t *columns, const uint8_t *stages, float *out) {
    state_t t;
    for (int i = 0; i < n; i++) out[i] = forward(net, columns + (size_t)i * F, stages[i], &t);
}

/* Adds the slopes of half the sum of the squared errors, each counting sure * scale; returns sure * the squares' sum. */
double slopes(const net_t *net, const net_t *to, int n, const int32_t *columns, const uint8_t *stages, const float *labels,
              const float *sure, float scale) {
    state_t t;
    double loss = 0;
    for (int p = 0; p < n; p++) {
        const int32_t *at = columns + (size_t)p * F;
        int s = stages[p];
        float off = forward(net, at, s, &t) - labels[p], slope = sure[p] * off * scale;
        float du[U], dx[W], dz[Z];
        loss += (double)(sure[p] * off * off);
        const float *layer = net->layer + (size_t)s * Z * U, *linear = net->linear + (size_t)s * Z;
        float *to_layer = to->layer + (size_t)s * Z * U, *to_linear = to->linear + (size_t)s * Z;
        to->constant[s] += slope;
        for (int j = 0; j < U; j++) {
            to->out[s * U + j] += slope * t.u[j];
            du[j] = slope * net->out[s * U + j];
        }
#if V
        const float *second = net->second + (size_t)s * U * V;
        float *to_second = to->second + (size_t)s * U * V, dv[V];
        for (int j = 0; j < V; j++) {
            to->second_out[s * V + j] += slope * t.v[j];
            dv[j] = t.v[j] > 0 && t.v[j] < MOST ? slope * net->second_out[s * V + j] : 0;
            to->second_bias[s * V + j] += dv[j];
        }
        for (int i = 0; i < U; i++) {
            float sum = 0, a = t.u[i];
            for (int j = 0; j < V; j++) {
                sum += dv[j] * second[i * V + j];
                to_second[i * V + j] += a * dv[j];
            }
            du[i] += sum;
        }
#endif
        for (int j = 0; j < U; j++) {
            du[j] = t.u[j] > 0 && t.u[j] < MOST ? du[j] : 0;
            to->layer_bias[s * U + j] += du[j];
        }
        for (int i = 0; i < Z; i++) {
            float sum = slope * linear[i], z = t.z[i];
            to_linear[i] += slope * z;
            for (int j = 0; j < U; j++) {
                sum += du[j] * layer[i * U + j];
                to_layer[i * U + j] += z * du[j];
            }
            dz[i] = sum;
        }
        for (int k = 0; k < W / 2; k++) {
            dx[k] = dz[k] + dz[W + k] * t.z[k + W / 2];
            dx[k + W / 2] = dz[k + W / 2] + dz[W + k] * t.z[k];
        }
        for (int k = 0; k < W; k++) {
            dx[k] = t.x[k] >= -CLIP && t.x[k] <= CLIP ? dx[k] : 0;
            to->bias[k] += dx[k];
        }
        for (int f = 0; f < F; f++) {
            float *row = to->table + (size_t)at[f] * W;
            for (int k = 0; k < W; k++) row[k] += dx[k];
        }
    }
    return loss;
}

/* A step of Adam (D. P. Kingma and J. Ba, 2014) on `count` rows of `width` numbers, held within +-limit; the slopes become
 * 0. Rows that have never had a slope stay as they are. */
void step(int64_t count, int width, float *part, float *slope, float *mean, float *square, uint8_t *seen, float rate,
          float damping, float limit) {
    for (int64_t r = 0; r < count; r++) {
        float *p = part + r * width, *g = slope + r * width, *m = mean + r * width, *s = square + r * width;
        if (!seen[r]) {
            int any = 0;
            for (int k = 0; k < width; k++) any |= g[k] != 0;
            if (!any) continue;
            seen[r] = 1;
        }
        for (int k = 0; k < width; k++) {
            float a = 0.9f * m[k] + 0.1f * g[k], b = 0.999f * s[k] + 0.001f * g[k] * g[k];
            float next = p[k] - rate * a / (sqrtf(b) + damping);
            m[k] = a;
            s[k] = b;
            p[k] = next > limit ? limit : next < -limit ? -limit : next;
            g[k] = 0;
        }
    }
}
